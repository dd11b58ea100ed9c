"""The checked game: names resolved, types and ranges known, every fault listed. Knows nothing of how it runs."""
