// Square by square; the top of the right column is the last.
next(1, 2).
next(2, 3).
next(3, 6).

+at(K) : somebody & next(K, L)
   <- see_to; go(L).
+at(K) : somebody & not next(K, _)
   <- see_to.
+at(K) : not somebody & next(K, L)
   <- go(L).
