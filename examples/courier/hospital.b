// A courier robot brings blood from the laboratory to the ward. It patrols, and it has to charge its battery.

areadef Place extends BaseAreaDef { }
area dock instanceof Place { }
area lab instanceof Place { }
area ward instanceof Place { }
path dockToLab { area1: dock; area2: lab; distance: 60; }
path labToWard { area1: lab; area2: ward; distance: 120; }
