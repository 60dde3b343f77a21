// Who holds the token may pass. It is handed on only when the robot has seen itself leave: a plan starts an action and
// goes on at once, so without waiting for `-inside` both robots would start actions faster than the world executes them.
+start : true
   <- enter.

+token : true
   <- enter.

+inside : true
   <- leave.

-inside : other(Robot)
   <- -token;
      .send(Robot, tell, token).
