// Bids three. After a few lost auctions it looks for an ally and then bids for both.
myself(ag3).
bid(ag3, 3).
ally(ag2).
threshold(3).

// Early auctions: patience.
+auction(N) : threshold(T) & .gte(T, N)
   <- !bid_normally(N).

// Winning alone: no reason to change anything.
+auction(N) : myself(Me) & winner(Me) & ally(Friend) & not(alliance(Me, Friend))
   <- !bid_normally(N).

// Losing alone: propose an alliance, then bid as usual.
+auction(N) : myself(Me) & not(winner(Me)) & ally(Friend) & not(alliance(Me, Friend))
   <- !alliance(Me, Friend); !bid_normally(N).

// Allied: bid for both.
+auction(N) : alliance(Me, Friend)
   <- ?bid(Me, Mine); ?bid(Friend, Theirs); .plus(Mine, Theirs, Sum); place_bid(N, Sum).

+!bid_normally(N) : true
   <- ?bid(Me, Amount); place_bid(N, Amount).

// Proposing twice does no harm: ag2 already believes it, so nothing new happens there.
+!alliance(Me, Friend) : true
   <- .send(Friend, tell, alliance(Me, Friend)).
