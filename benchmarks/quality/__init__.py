"""Quality of stripping: learners and peers on sets of pages with gold text.

python -m benchmarks.quality                         # every set, every learner, every peer
python -m benchmarks.quality news --learners layout --no-peers
"""
