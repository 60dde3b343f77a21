dtmc
// A walk between two walls, started anywhere.
const int N = 4;
module walk
  x : [0..N];
  [] x > 0 & x < N -> 0.5 : (x'=x-1) + 0.5 : (x'=x+1);
  [home] x = 0 | x = N -> true;
endmodule
init
  x > 0
endinit
label "home" = x = 0 | x = N;
rewards "steps" x > 0 & x < N : 1; endrewards
