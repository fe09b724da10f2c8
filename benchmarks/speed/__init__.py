"""Speed of stripping, learning and crawling, beside a bare lxml parse of the pages and beside the peers.

python -m benchmarks.speed                      # everything
python -m benchmarks.speed news --only pages    # one part
"""
