// Takes a packet with the bit it waits for and acknowledges every packet, also one it has taken before.
expects(0).
other(0, 1).
other(1, 0).

+packet(B, F) : expects(B) & other(B, Next)
   <- -expects(B);
      +expects(Next);
      acknowledge(B).
+packet(B, F) : not expects(B)
   <- acknowledge(B).
