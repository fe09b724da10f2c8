"""How the default learner's scorer is trained and its confidence fitted: ``python -m training``; not installed."""
