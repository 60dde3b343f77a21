// Fetches things. An action that the world refuses fails, the goal fails with it, and `-!goal` says what to do then.

+!fetch(Thing)
   <- !move(laboratory);
      take;
      !move(ward);
      hand_over.

// `take` was refused: go back with empty hands and say so.
-!fetch(Thing)
   <- !move(ward);
      .send(nurse, tell, unavailable(Thing)).

+!move(Floor)
   <- ride(Floor).

// The lift refused: take the stairs.
-!move(Floor)
   <- climb(Floor).
