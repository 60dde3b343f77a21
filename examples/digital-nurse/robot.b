// The robot fetches medicine and breakfast, fills the jugs, helps to turn patients, and comes when a heart stops.

agent Robot memberof TimeKeeper {
    location: medicineRoom;
    attributes:
        public boolean performedCPR;
    initial_beliefs:
        (Patient_one.location = bedOne);
        (Patient_two.location = bedTwo);
        (Patient_three.location = bedThree);
        (Patient_four.location = bedFour);
        (Patient_five.location = bedFive);
    initial_facts:
        (current.performedCPR = false);
    activities:
        primitive_activity fetchMedicine() {
            max_duration: 400;
        }
        primitive_activity fillJug() {
            max_duration: 300;
        }
        primitive_activity fetchBreakfast() {
            max_duration: 600;
        }
        primitive_activity turnPatient() {
            max_duration: 240;
        }
        primitive_activity resuscitate() {
            max_duration: 100;
        }
        move goTo(Bed bed) {
            location: bed;
        }
        move goToStaffRoom() {
            location: staffRoom;
        }
        move goToMedicineRoom() {
            location: medicineRoom;
        }
    workframes:
        workframe wf_resuscitate {
            repeat: true;
            priority: 100;
            variables:
                forone(Patient) pat;
                forone(Bed) bed;
            detectables:
                detectable revived {
                    when(whenever)
                    detect((pat.heartAttack = false), dc:100)
                    then abort;
                }
            when(knownval(pat.heartAttack = true) and
                 knownval(pat.location = bed))
            do {
                goTo(bed);
                resuscitate();
                conclude((current.performedCPR = true));
            }
        }
        workframe wf_helpTurning {
            repeat: true;
            priority: 10;
            variables:
                forone(Patient) pat;
                forone(Bed) bed;
            when(knownval(pat.needsTurning = true) and
                 knownval(pat.location = bed))
            do {
                goTo(bed);
                conclude((pat.robotReady = true));
                turnPatient();
                conclude((pat.needsTurning = false), fc:0);
            }
        }
        // Each jug that is low, one after the other.
        workframe wf_fillJug {
            repeat: true;
            variables:
                foreach(Patient) pat;
                forone(Bed) bed;
            when(knownval(pat.waterLevel < 101) and
                 knownval(pat.location = bed))
            do {
                goToStaffRoom();
                fillJug();
                goTo(bed);
                conclude((pat.waterLevel = 1000));
            }
        }
        workframe wf_fetchBreakfast {
            repeat: true;
            variables:
                forone(Patient) pat;
                forone(Bed) bed;
            when(knownval(pat.breakfastChoice > 0) and
                 knownval(pat.location = bed))
            do {
                goToStaffRoom();
                fetchBreakfast();
                goTo(bed);
                conclude((pat.served = true));
                conclude((pat.breakfastChoice = unknown), fc:0);
            }
        }
        workframe wf_fetchMedicine {
            repeat: true;
            variables:
                forone(Patient) pat;
                forone(Bed) bed;
            when(known(pat.medication) and
                 knownval(pat.location = bed))
            do {
                goToMedicineRoom();
                fetchMedicine();
                goTo(bed);
                conclude((pat.medication = unknown), fc:0);
            }
        }
}
