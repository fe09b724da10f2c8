"""From sample pages to a pattern: which pages count, the scores of blocks, the fewest rules."""
