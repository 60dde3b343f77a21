// The ward, its clock, and everybody whom the clock tells the hour.

areadef Room extends BaseAreaDef { }
areadef Bed extends BaseAreaDef { }

area Hospital instanceof Building { }
area staffRoom instanceof Room partof Hospital { }
area medicineRoom instanceof Room partof Hospital { }
area bedOne instanceof Bed partof Hospital { }
area bedTwo instanceof Bed partof Hospital { }
area bedThree instanceof Bed partof Hospital { }
area bedFour instanceof Bed partof Hospital { }
area bedFive instanceof Bed partof Hospital { }

path staffRoomToBedOne { area1: staffRoom; area2: bedOne; distance: 2; }
path medicineRoomToBedOne { area1: medicineRoom; area2: bedOne; distance: 2; }
path bedOneToBedTwo { area1: bedOne; area2: bedTwo; distance: 2; }
path bedTwoToBedThree { area1: bedTwo; area2: bedThree; distance: 2; }
path bedThreeToBedFour { area1: bedThree; area2: bedFour; distance: 2; }
path bedFourToBedFive { area1: bedFour; area2: bedFive; distance: 2; }

group TimeKeeper {
    attributes:
        public boolean hearsClock;
    initial_beliefs:
        (Clock.hour = 0);
    initial_facts:
        (current.hearsClock = true);
}

class Timepiece {
    attributes:
        public int hour;
    activities:
        primitive_activity letAnHourPass() {
            max_duration: 3600;
        }
        communicate tellTheHour(TimeKeeper who) {
            with: who;
            about: send(current.hour);
        }
    workframes:
        workframe wf_strike {
            repeat: true;
            variables:
                collectall(TimeKeeper) who;
            when(knownval(current.hour < 19) and
                 knownval(who.hearsClock = true))
            do {
                letAnHourPass();
                conclude((current.hour = current.hour + 1));
                tellTheHour(who);
            }
        }
}

object Clock instanceof Timepiece {
    initial_beliefs:
        (current.hour = 0);
    initial_facts:
        (current.hour = 0);
}
