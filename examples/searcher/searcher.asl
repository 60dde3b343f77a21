// From field to field. Where nobody is, the field is empty; after the last one it begins again.
next(1, 2).
next(2, 3).
next(3, 4).
next(4, 5).
next(5, 6).
next(6, 7).
next(7, 8).
next(8, 9).
next(9, 1).

+outside : true
   <- go(1).

+at(K) : person
   <- +found(K).
+at(K) : not person & next(K, L)
   <- +empty(K); go(L).
