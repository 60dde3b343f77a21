//! What a user is told about the gas station.

mod firing_lab;

use firing_lab::{STATION, after, case, initial, system, with};
use motet_engine::{Settings, check_all};
use motet_model::{Account, System};

#[test]
fn lanes_are_the_system_net_and_its_agents() {
    let system = system(STATION);
    let lanes = &system.model.signature().processes;
    assert_eq!(lanes, &["Station", "Diesel(1)", "Regular(2)", "Bank", "Producer"]);
}

#[test]
fn a_synchronous_step_is_an_arrow_between_two_lanes() {
    let system = system(STATION);
    let (_, taken) =
        after(&system, &["ToGasStation (c = <truck", "Park with Diesel(1).Park: park(1)", "SlideCard"]);
    let story = system.words.story(taken[2]);
    assert_eq!((story.process.0, story.text.as_str()), (1, "SlideCard with Pay"));
    assert_eq!(story.to, Some((motet_model::ProcessId(0), "pay(truck, 1, 1)".to_owned())));
    let park = system.words.story(taken[1]);
    assert_eq!((park.process.0, park.text.as_str()), (0, "Park"));
    assert_eq!(park.to, Some((motet_model::ProcessId(1), "park(1)".to_owned())));
    assert_eq!(system.words.fired(taken[1]).len(), 2);
}

#[test]
fn a_step_is_explained_by_its_binding_and_its_guards() {
    let system = system(STATION);
    let (state, taken) = after(&system, &["ToGasStation (c = <truck"]);
    let why = system.words.why(&[initial(&system), state], &taken, 0);
    assert_eq!(why, ["Diesel(1).ToGasStation fires with c = <truck, 0>", "  when c.tank = 0"]);
}

#[test]
fn a_snapshot_shows_every_net() {
    let system = system(STATION);
    let snapshot = system.words.snapshot(&initial(&system));
    let names: Vec<&str> = snapshot.minds.iter().map(|mind| mind.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "Station",
            "Diesel(1) in in_station",
            "Regular(2) in in_station",
            "Bank in bank_agent",
            "Producer in producer_agent"
        ]
    );
    let cars = snapshot.minds[0].sections.iter().find(|section| section.title == "in_station").unwrap();
    assert_eq!(cars.items, ["<1, Diesel(1)>", "<2, Regular(2)>"]);
    let gas = snapshot.minds[0].sections.iter().find(|section| section.title == "diesel_gas").unwrap();
    assert_eq!(gas.items, ["10"]);
}

fn account(system: &System, actions: &[&str], subject: &str) -> Vec<Account> {
    system.words.account(&after(system, actions).0, subject)
}

fn lines(account: &Account) -> Vec<String> {
    let mark = |met: Option<bool>| match met {
        Some(true) => "+",
        Some(false) => "-",
        None => " ",
    };
    account.lines.iter().map(|line| format!("{} {}", mark(line.met), line.text)).collect()
}

#[test]
fn an_account_says_which_place_lacks_a_token() {
    let system = system(STATION);
    let found = account(&system, &[], "Pay");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].status, "not enabled: in parked(a): parked is empty");
    assert!(!found[0].active);
}

#[test]
fn an_account_says_which_guard_is_false_with_which_values() {
    let system = system(STATION);
    let found = account(&system, &[], "Diesel.ToStore");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].status, "not enabled: when c.tank = 1: false with c = <truck, 0>");
    let lines = lines(&found[0]);
    assert_eq!(
        lines,
        ["+ in factory(c): factory holds <truck, 0>", "- when c.tank = 1: false with c = <truck, 0>"]
    );
    let order = account(&system, &[], "OrderDiesel");
    assert!(order[0].status.starts_with("not enabled: when diesel_gas < 1"), "{}", order[0].status);
}

#[test]
fn an_account_lists_the_modes_of_what_is_enabled() {
    let system = system(STATION);
    let found = account(&system, &["ToGasStation (c = <truck"], "Park");
    let of_station = found.iter().find(|account| account.subject == "Station.Park").unwrap();
    assert!(of_station.active);
    assert_eq!(of_station.status, "enabled in 3 modes");
    let lines = lines(of_station);
    assert!(
        lines.contains(&"+ Park (a = <1, Diesel(1)>, st = 2) with Diesel(1).Park, park(2)".to_owned()),
        "{lines:?}"
    );
    assert_eq!(found.len(), 3, "the station, the truck and the sedan have a transition of this name");
}

#[test]
fn an_account_names_the_binding_that_is_nearest_and_who_does_not_answer() {
    let system = system(STATION);
    // Both cars wait at a pump; only the truck is authorised.
    let way = [
        "ToGasStation (c = <truck",
        "ToGasStation (c = <sedan",
        "Park with Diesel(1).Park: park(1)",
        "Park with Regular(2).Park: park(2)",
        "SlideCard with Station.Pay: pay(truck",
        "SlideCard",
        "CheckCredit with Bank.CheckCredit: check(<1",
        "Authorize",
        "ReportCredit",
    ];
    let found = account(&system, &way, "PumpRegular");
    assert!(!found[0].active);
    assert!(found[0].status.contains("false with a = "), "{}", found[0].status);
    let found = account(&system, &way[..1], "Diesel.SlideCard");
    assert_eq!(found[0].status, "not enabled: in ToPump(c): ToPump is empty");
    let found = account(&system, &way[..3], "Pay");
    assert!(found[0].active, "{}", found[0].status);
    let found = account(&system, &[], "Station.Park");
    assert_eq!(found[0].status, "not enabled: nobody answers: sync a.net ! park(st): Diesel(1), Regular(2)");
}

#[test]
fn an_agent_waits_for_a_partner() {
    let system = system(STATION);
    let (state, _) = after(&system, &["ToGasStation (c = <truck"]);
    let waits = system.words.waits(motet_model::ProcessId(1), &state);
    assert_eq!(waits.as_deref(), Some("Park: up ? park(st)"));
    assert_eq!(system.words.waits(motet_model::ProcessId(2), &state), None);
}

/// Section 4.1 of the count: these never fire with full tanks and enough credit.
#[test]
fn transitions_that_never_fire_are_told() {
    let case = case(STATION, "");
    let report = check_all(&*case.system.model, &[], &Settings::default(), &mut |_| {});
    let mut messages: Vec<String> =
        case.system.review.missing(&report.actions).into_iter().map(|notice| notice.message).collect();
    messages.sort();
    assert_eq!(
        messages,
        [
            "Bank.Deny never fires",
            "Diesel.Deny never fires",
            "Regular.Deny never fires",
            "Station.Fail never fires",
            "Station.GetDiesel never fires",
            "Station.GetRegular never fires",
            "Station.OrderDiesel never fires",
            "Station.OrderRegular never fires",
            "no transition of Producer ever fires",
            "nothing ever passes through port deny",
            "nothing ever passes through port diesel",
            "nothing ever passes through port order",
            "nothing ever passes through port regular",
        ]
    );
}

#[test]
fn with_empty_tanks_only_refusals_never_happen() {
    let case = case(&with(STATION, &[("int 0..10 = 10", "int 0..10 = 0")]), "");
    let report = check_all(&*case.system.model, &[], &Settings::default(), &mut |_| {});
    let mut messages: Vec<String> =
        case.system.review.missing(&report.actions).into_iter().map(|notice| notice.message).collect();
    messages.sort();
    let expected = [
        "Bank.Deny never fires",
        "Diesel.Deny never fires",
        "Regular.Deny never fires",
        "Station.Fail never fires",
        "nothing ever passes through port deny",
    ];
    assert_eq!(messages, expected);
}

#[test]
fn a_subject_of_fairness_is_a_mode() {
    let system = system(STATION);
    let (_, taken) = after(&system, &["ToGasStation (c = <truck", "Park with Diesel(1).Park: park(1)"]);
    let subject = system.model.facets().subject(motet_model::ProcessId(0), taken[1]);
    assert_eq!(
        system.words.subject(subject).as_deref(),
        Some("Station.Park<<1, Diesel(1)>, 1> with Diesel(1).Park<<truck, 0>>")
    );
}

#[test]
fn pictures_show_arcs_guards_and_channels() {
    let system = system(STATION);
    let nets = system.words.nets();
    assert_eq!(nets[0].name, "Station");
    assert_eq!(nets[1].name, "Diesel(card)");
    let pump = nets[0].transitions.iter().position(|one| one.name == "PumpDiesel").unwrap();
    let drawn = &nets[0].transitions[pump];
    assert_eq!(drawn.channel.as_deref(), Some("a.net ! pump(1)"));
    assert_eq!(drawn.notes, ["a.aid = r.aid", "r.kind = truck", "r.ok = 1", "1 <= diesel_gas"]);
    let labels: Vec<String> = nets[0]
        .arcs
        .iter()
        .filter(|arc| arc.transition == pump)
        .map(|arc| format!("{:?} {} {}", arc.kind, nets[0].places[arc.place].name, arc.label))
        .collect();
    assert_eq!(
        labels,
        [
            "In waiting a",
            "In authorized r",
            "Update diesel_gas diesel_gas - 1",
            "Out pumped a",
            "Out pumping_station r.st"
        ]
    );
    let marking = system.words.marking(&initial(&system)).unwrap();
    assert_eq!(
        (marking.net, marking.title.as_str(), marking.places.len()),
        (0, "Station", nets[0].places.len())
    );
    let home = nets[0].places.iter().position(|place| place.name == "in_station").unwrap();
    assert_eq!(marking.places[home][0].text, "<1, Diesel(1)>");
    assert_eq!(marking.places[home][0].agents[0].title, "Diesel(1)");
}
