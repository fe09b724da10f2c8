"""How fast pages are stripped, learned and crawled, beside a bare lxml parse of the same pages and beside the peers.

python -m benchmarks.speed                      # everything
python -m benchmarks.speed news --only pages    # one part
"""
