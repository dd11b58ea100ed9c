"""The verbs, one module each. A module has `SUMMARY`, `EXAMPLES`, `configure(parser)` and `run(args) -> exit code`."""
