// Answers a call with its price, or refuses when it is busy; works once the task is its own.

+call_for_proposals(T) : busy & myself(Me)
   <- .send(manager, tell, refusal(Me)).
+call_for_proposals(T) : myself(Me) & price(P)
   <- .send(manager, tell, proposal(Me, P)).

+award(T)
   <- work(T).
