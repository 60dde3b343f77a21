// Everything the Jason dialect offers here, in one program that makes some sense.
capacity(3).
~locked(gate).
price(tea, 2.5).
note("first \"floor\"\n").
route([hall, yard | [gate]]).
free(R) :- room(R) & not occupied(R, _) | R == hall.
heavy(X) :- weight(X, W) & W * 2 >= 7 + -1 & (W mod 2) \== 1.

!start.
!patrol(1).

@start[atomic] +!start : .my_name(Me) & capacity(C) & C > 0
   <- .print("I am ", Me, " and carry ", C); -+load(0); !!watch.

+!patrol(N) : N < 3 & route([First | Rest])
   <- .length(Rest, L);
      Next = N + L div 2 ** 1;
      if (free(First) & not heavy(First)) { go(First) } elif (N == 1) { go(hall) } else { go(yard) };
      for (room(R) & free(R)) { ?weight(R, W); +seen(R, W); };
      while (load(X) & X < 2) { -+load(X + 1) }
      .findall(p(A, B), (weight(A, B) & B > 1), All); .count(room(_), Rooms);
      .member(M, [a, b, c]); .sort(All, Sorted); .nth(0, [x, y], Z);
      !patrol(Next).
+!patrol(_) <- true.
-!patrol(N)[source(self)] : .intend(watch) <- .drop_intention(watch); .fail_goal(start).

+!watch : ~locked(gate) <- ?room(Where); .send([porter, guard], tell, seen(Where, 1)); .broadcast(untell, done).
+?weight(R, W) <- W = 1.
+seen(R, W)[source(guard)] : W =.. [_, _] | true <- -seen(R, W); .abolish(seen(_, _)).
-room(R) : .desire(watch) & .number(3) <- .succeed_goal(watch); .wait(100); .fail.
+done <- .send(guard, achieve, rest(now)); .send(guard, unachieve, rest(now)).
