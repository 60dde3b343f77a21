// Cleans where there is something to clean and goes on to the next room.
next(hall, kitchen).
next(kitchen, study).
next(study, hall).

+at(Room) : dirty(Room)
   <- suck; !leave(Room).
+at(Room) : not dirty(Room)
   <- !leave(Room).

+!leave(Room) : next(Room, Other)
   <- go(Other).
