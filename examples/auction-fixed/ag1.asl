// A bidder without a strategy: six, whatever happens.
+auction(N) : true <- place_bid(N, 6).
