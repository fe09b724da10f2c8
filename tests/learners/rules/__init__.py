"""The rules learner, with a file of tests for each module."""
