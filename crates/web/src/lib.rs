//! What Motet shows and answers over HTTP on this machine: advice for a running agent, and the page on which a run is watched.
//! No logic: questions are answered by the workbench, runs are made by `live`.
