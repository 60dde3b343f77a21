this is not a model
{ at all } ; but
agent Ann { }
then ( more
path p { area1 a; }
workframe wf { do { } }
