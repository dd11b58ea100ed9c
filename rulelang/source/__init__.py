"""From files to a YAML tree whose every node remembers its file, line and column."""
