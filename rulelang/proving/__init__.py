"""Proving what a rules file says: the examples in it, how often each of its clauses mattered, counts of positions."""
