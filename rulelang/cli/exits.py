"""The exit codes of every verb."""

YES = 0            # it worked: no errors, examples hold, no difference, the move is legal
NO = 1             # it did not: errors, a failing example, a difference, an illegal move
USAGE = 2          # the command line itself is wrong
INTERRUPTED = 130  # Ctrl-C, as shells count it
PIPE_CLOSED = 141  # whoever read the output went away, as shells count it

TABLE = """exit codes:
  0    yes: no errors, every example holds, no difference, a legal move
  1    no: errors, a failing example, a difference, an illegal move
  2    the command line is wrong
  130  interrupted (Ctrl-C)
  141  whoever read the output went away"""
