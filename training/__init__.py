"""How the default learner's scorer is trained: ``python -m training``. Not part of the package that is installed."""
