// Sends packets one after the other, each with the bit the last one did not have.
other(0, 1).
other(1, 0).

+start
   <- put(0).

+ack(B, K) : other(B, Next)
   <- put(Next).

// Nothing came back: send the same packet again. The receiver knows by the bit whether it has it already.
+timeout(B, S)
   <- put(B).
