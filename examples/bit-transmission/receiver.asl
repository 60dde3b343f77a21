// Acknowledges whatever arrives.
+received(B, Arrival)
   <- acknowledge.
