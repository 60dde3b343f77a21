// Puts the bit into the channel again and again, until it sees the acknowledgement.
+bit(B, Again) : not acknowledged
   <- put(B).
