"""Training of the default learner's scorer and fit of its confidence: ``python -m training``; not installed."""
