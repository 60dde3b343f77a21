// Who holds the token may pass. Actions are executed in the order in which they were started, so the next robot's
// `enter` comes after this one's `leave`, although the token may arrive before.
+start : true
   <- !pass.

+token : true
   <- !pass.

+!pass : other(Robot)
   <- enter;
      leave;
      -token;
      .send(Robot, tell, token).
