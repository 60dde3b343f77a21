// Bids four on its own account. Once it shares an alliance it leaves the bidding to its ally and offers nothing.
myself(ag2).
bid(ag2, 4).
ally(ag3).

+auction(N) : myself(Me) & ally(Friend) & not(alliance(Friend, Me))
   <- ?bid(Me, Amount); place_bid(N, Amount).

+auction(N) : alliance(Friend, Me)
   <- place_bid(N, 0).

// A proposal has arrived: say how much can be added, then agree.
+alliance(Friend, Me) : myself(Me) & ally(Friend)
   <- ?bid(Me, Amount);
      .send(Friend, tell, bid(Me, Amount));
      .send(Friend, tell, alliance(Friend, Me)).
