;;
group person{}
group helper memberof person{
attributes:public boolean break;public int time;int type;boolean location;public int display;symbol name;int end;int start;map items;
initial_beliefs:(current.break=false);(current.time=1);
attributes:
initial_facts:
detectables:
activities:
attributes:
 public int again;
 relations:
initial_beliefs:
 (current.again=1);
}
agent helperOne memberof helper{
location:room;
thoughtframes:
activities:
primitive_activity break(){max_duration:10;};
communicate time(){with:;about:;}
move start(area end){location:end;}
workframes:
workframe type{priority:-3;repeat:TRUE;
detectables:
variables:
do{break();break();start(room);conclude((current.time=current.time+1),bc:100,fc:100);;}
when(knownval(current.break=false)and knownval(current.time<5)and(current.name=display)and(knownval(current.end>0)and knownval(current.start>0)))
};
workframe display { when ( ) do { } display: untidy; }
workframe when { detectables: detectable do { detect((current.time=2),dc:0)then abort } variables: forone(person)current2; do { conclude((current.a is true)); } }
initial_facts:
(current.break=FALSE);
activities:
primitive_activity when() {}
}
area first-floor instanceof Building{}
area room instanceof Building partof first-floor {location:room;}
