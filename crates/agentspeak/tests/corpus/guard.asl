/* The guard sleeps
   most of the time. */
room('left wing').
+!rest(When) : room(R) & jia.near(R) <- jia.dist(1, 4, D); .plus(D, 1, E); rest(E); 'odd action'.
+seen(R, W) : .gte(W, 1) & .lte(W, 9) & .neq(R, gate) <- .times(W, 2, V); .send(porter, tell, done).
