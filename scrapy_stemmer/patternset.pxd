# No types to declare: that this file is here has patternset.py compiled.
