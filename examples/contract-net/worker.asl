// Answers a call with its price, or refuses when it has none to offer because it is busy; works once the task is its own.

+call_for_proposals(T) : quote(Me, Price)
   <- .send(manager, tell, proposal(Me, Price)).
+call_for_proposals(T) : not quote(_, _)
   <- .send(manager, tell, refusal).

+award(T)
   <- work(T).
