"""Learning in a crawl: the states of sites, their samples, and the patterns learned from them.

==================  ===================================================================================
sites               one table of all sites, with five states and one method for each transition
learning_session    sampling, learning and release of items in a crawl, until its end
samples             pages chosen for learning
site_learner        queued sites, learned one at a time
crawl_patterns      the patterns of the crawl, loaded from its store or learned since
shared_patterns     patterns of other crawls in a shared store, and leases for learning
drift_watch         changed layouts, which are learned again
text_watch          boxes that are new since the sample, whose texts are added to patterns
==================  ===================================================================================
"""
