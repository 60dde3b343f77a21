// A bed, a jug beside it, a patient who drinks, a sensor under the jug and a robot that fills it up.

areadef Room extends BaseAreaDef { }
area Ward instanceof Building { }
area bedside instanceof Room partof Ward { }
area kitchen instanceof Room partof Ward { }
path bedsideToKitchen { area1: bedside; area2: kitchen; distance: 30; }

class Timepiece {
    attributes:
        public int hour;
    activities:
        primitive_activity letAnHourPass() {
            max_duration: 3600;
        }
        broadcast strike() {
            about: send(current.hour);
        }
    workframes:
        workframe wf_strike {
            repeat: true;
            when(knownval(current.hour < 8))
            do {
                letAnHourPass();
                conclude((current.hour = current.hour + 1));
                strike();
            }
        }
}

object Clock instanceof Timepiece {
    initial_beliefs:
        (current.hour = 0);
    initial_facts:
        (current.hour = 0);
}

class WaterJug {
    attributes:
        public int level;
}

object Jug instanceof WaterJug {
    initial_facts:
        (current.level = 1000);
}

class ScaleUnderJug {
    attributes:
        public boolean alarm;
        public boolean looksAgain;
    initial_facts:
        (current.alarm = false);
        (current.looksAgain = false);
    activities:
        communicate callRobot() {
            max_duration: 1;
            with: Robot;
            about: send(Jug.level);
        }
        primitive_activity waitAnHour() {
            max_duration: 3600;
        }
    workframes:
        // Little water left: the sensor calls the robot and looks again an hour later.
        workframe wf_low {
            repeat: true;
            priority: 1;
            when(knownval(Jug.level < 201) and
                 knownval(current.looksAgain = false))
            do {
                callRobot();
                waitAnHour();
                conclude((current.looksAgain = true));
            }
        }
        workframe wf_stillLow {
            repeat: true;
            priority: 2;
            when(knownval(current.looksAgain = true) and
                 knownval(Jug.level < 201))
            do {
                conclude((current.alarm = true));
                conclude((current.looksAgain = false));
            }
        }
        workframe wf_fullAgain {
            repeat: true;
            priority: 2;
            when(knownval(current.looksAgain = true) and
                 knownval(Jug.level > 200))
            do {
                conclude((current.looksAgain = false));
            }
        }
}

object Sensor instanceof ScaleUnderJug { }

agent Robot {
    location: kitchen;
    initial_beliefs:
        (Jug.level = 1000);
    activities:
        primitive_activity fill() {
            max_duration: 240;
        }
        move fetchJug() {
            location: bedside;
        }
        move goToKitchen() {
            location: kitchen;
        }
    workframes:
        workframe wf_fillJug {
            repeat: true;
            when(knownval(Jug.level < 201))
            do {
                fetchJug();
                goToKitchen();
                fill();
                fetchJug();
                conclude((Jug.level = 1000));
                goToKitchen();
            }
        }
}
