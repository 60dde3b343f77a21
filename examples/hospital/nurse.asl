// Asks once and then waits for the blood or for bad news.
!care.

+!care
   <- .send(porter, achieve, fetch(blood)).

+delivered
   <- +treated.
+unavailable(Thing)
   <- +informed.
