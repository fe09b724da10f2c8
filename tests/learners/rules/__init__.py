"""The rules learner, a file of tests for each of its modules."""
