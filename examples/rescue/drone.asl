// Flies from cell to cell until it sees the hiker, then calls the robot.
next(1, 2).
next(2, 3).
next(3, 4).

+over(C) : sees(C)
   <- .send(robot, tell, found(C)).
+over(C) : not sees(C) & next(C, D)
   <- fly(D).
