"""What was learned of a site, whichever learner did it."""
