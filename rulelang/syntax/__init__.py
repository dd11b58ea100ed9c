"""From the YAML tree to syntax trees: sentences are parsed, sections have their form, overlays are merged."""
