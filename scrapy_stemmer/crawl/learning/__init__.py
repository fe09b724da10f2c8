"""Learning in a crawl: the states of sites, their samples, and the patterns learned from them.

==================  ===================================================================================
sites               one table of all sites: their states, and which wait in vain
learning_session    when a site is learned, and when its items are released
samples             pages chosen for learning
site_learner        queued sites, learned one at a time
crawl_patterns      the patterns of the crawl, loaded from its store or learned since
shared_patterns     patterns of other crawls in a shared store, and leases for learning
drift_watch         changed layouts, which are learned again
text_watch          boxes that are new since the sample, whose texts are added to patterns
==================  ===================================================================================
"""
