# No types to declare: that this file is here has strip.py compiled.
