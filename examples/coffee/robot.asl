// Lists, rules and loops of the Jason dialect: who wants something, how many cups, and who comes first.
rank(cleo, 1).
rank(anna, 2).
rank(ben, 3).

customer(P) :- wants(P, coffee) & rank(P, R).
before(P, Q) :- rank(P, R) & rank(Q, S) & R < S.
first(P) :- customer(P) & not (customer(Q) & before(Q, P)).

+breakfast
   <- .findall(P, customer(P), People);
      .length(People, N);
      +order(N);
      brew(N);
      !serve_all.

// Whoever comes first and has not been served yet is next; when nobody is left the round is over.
+!serve_all : first(P)
   <- serve(P);
      -wants(P, coffee);
      !serve_all.
+!serve_all
   <- +finished.
