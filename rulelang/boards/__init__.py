"""Boards: a graph with named directions, and the static tables made from it. Knows nothing of rules."""
