// Waits for a call, drives to the hiker, lifts, drives back. Beliefs tell it when it has arrived.
+found(C) : at(C)
   <- lift.
+found(C) : not at(C)
   <- drive(C).

+at(C) : found(C) & not carrying
   <- lift.

+carrying : at(1)
   <- unload.
+carrying : not at(1)
   <- drive(1); unload.
