// Announces the task, waits for both answers, awards it to the cheaper bidder.

+task(T)
   <- .send(worker1, tell, call_for_proposals(T));
      .send(worker2, tell, call_for_proposals(T)).

// The second answer decides. Which of the two arrives last is a matter of interleaving, so every plan looks at both.
+proposal(Who, Price) : proposal(worker1, One) & proposal(worker2, Two) & One <= Two
   <- !award(worker1).
+proposal(Who, Price) : proposal(worker1, One) & proposal(worker2, Two) & One > Two
   <- !award(worker2).
+proposal(Who, Price) : refusal
   <- !award(Who).
+refusal : proposal(Other, Price)
   <- !award(Other).

+!award(Winner) : task(T)
   <- .send(Winner, tell, award(T)).
