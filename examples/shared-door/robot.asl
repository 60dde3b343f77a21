// The fault: looking and entering are two things. Between them the other robot may have had the same idea.
+door_free : true
   <- enter.

+inside : true
   <- leave.
