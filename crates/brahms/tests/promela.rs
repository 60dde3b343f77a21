//! The Promela translation as text: what it looks like, and what it refuses by name.

use motet_brahms::Brahms;
use motet_model::{Language, Options, PromelaClaim};
use motet_source::{Problem, Problems, Sources};

fn export(model: &str, claims: &[PromelaClaim]) -> Result<String, Box<Problem>> {
    let mut sources = Sources::new();
    sources.add("model.b", model);
    let mut problems = Problems::new();
    let draft = Brahms.read(&sources, &Options::default(), &mut problems);
    let draft = draft.unwrap_or_else(|| panic!("the model is well-formed:\n{}", problems.lines(&sources)));
    let system = draft.system(&[], &mut problems).expect("a model without atoms is a system");
    system.export.promela(claims, &motet_model::Unexplored)
}

fn refused(model: &str) -> (&'static str, String) {
    let problem = export(model, &[]).expect_err("this has no translation");
    assert!(!problem.help.is_empty());
    (problem.code, problem.message.clone())
}

/// One agent with these sections.
fn agent(sections: &str) -> String {
    format!(
        "agent Ann {{ attributes: public int n; public boolean done; initial_beliefs: (current.n = 0); {sections} }}"
    )
}

const WORK: &str = "activities: primitive_activity rest() { max_duration: 3; }
    workframes: workframe wf_rest { repeat: false; when(knownval(current.n = 0)) do { rest(); conclude((current.done = true)); } }";

#[test]
fn a_model_is_one_process_with_the_names_of_the_model() {
    let claim = PromelaClaim {
        name: "over".to_owned(),
        text: "everything is over */ in the end".to_owned(),
        formula: "<> (now_Ann == 0)".to_owned(),
    };
    let text = export(&agent(WORK), &[claim]).unwrap_or_else(|problem| panic!("{}", problem.message));
    assert_eq!(text.matches("proctype").count(), 1, "{text}");
    assert!(text.contains("short bel_Ann__Ann_done = unknown;"), "a belief that can change:\n{text}");
    assert!(text.contains("short fact_Ann_done = unknown;"), "a fact that can change:\n{text}");
    assert!(!text.contains("bel_Ann__Ann_n"), "a belief that nothing writes is a constant:\n{text}");
    assert!(text.contains("ltl over { <> (now_Ann == 0) }"), "{text}");
    assert!(
        text.contains("/* everything is over * / in the end */"),
        "a claim cannot end its comment:\n{text}"
    );
}

#[test]
fn a_frame_is_written_once_for_each_binding_that_its_guard_can_allow() {
    let model = "group G { attributes: public boolean old; }
        agent Ann memberof G { initial_beliefs: (Ann.old = true); (Bob.old = false); (Cid.old = true);
          workframes: workframe wf { repeat: false; variables: forone(G) g; when(knownval(g.old = true))
            do { conclude((g.old = true), fc:100); } } }
        agent Bob memberof G { }
        agent Cid memberof G { }";
    let text = export(model, &[]).unwrap_or_else(|problem| panic!("{}", problem.message));
    assert!(text.contains("#define can_Ann_wf_Ann ") && text.contains("#define can_Ann_wf_Cid "), "{text}");
    assert!(
        text.contains("#define can_Ann_wf_Bob "),
        "the belief about Bob can change, so his binding is there:\n{text}"
    );
    let constant = model.replace("conclude((g.old = true), fc:100);", "conclude((current.seen = true));");
    let constant = constant.replace("public boolean old;", "public boolean old; public boolean seen;");
    let text = export(&constant, &[]).unwrap_or_else(|problem| panic!("{}", problem.message));
    assert!(!text.contains("#define can_Ann_wf_Bob "), "nothing makes Bob old:\n{text}");
}

#[test]
fn constructs_without_a_translation_are_named() {
    let create = "class C { }
        agent Ann { activities: create_object make(C made) { action: new; source: C; destination: made; max_duration: 1; }
          workframes: workframe wf { variables: forone(C) c; do { make(c); } } }";
    let delete = "class C { } object O instanceof C { }
        agent Ann { workframes: workframe wf { repeat: false; variables: forone(C) c; when(known(current.x) and knownval(c = O))
          do { delete c; } } attributes: public int x; initial_beliefs: (current.x = 1); }";
    let (code, message) = refused(delete);
    assert_eq!(code, "M0955", "{message}");
    assert!(message.contains("delete"), "{message}");
    let (code, message) = refused(create);
    assert_eq!(code, "M0955", "{message}");
    assert!(message.contains("create"), "{message}");
}

#[test]
fn fractions_are_refused() {
    let model = "agent Ann { attributes: public double d; initial_beliefs: (current.d = 0.5);
        workframes: workframe wf { when(knownval(current.d < 1.5)) do { conclude((current.d = current.d + 0.25)); } } }";
    let (code, message) = refused(model);
    assert_eq!(code, "M0956", "{message}");
}

#[test]
fn a_variable_whose_values_nobody_knows_is_refused() {
    let model = agent(
        "workframes: workframe wf { repeat: true; variables: forone(int) v; when(knownval(v = current.n + 1) and knownval(current.n < 9))
           do { conclude((current.n = v)); } }",
    );
    let (code, message) = refused(&model);
    assert_eq!(code, "M0958", "{message}");
    assert!(message.contains("`v`"), "{message}");
}

#[test]
fn too_many_sets_of_values_are_refused() {
    let members: String =
        (0..9).map(|n| format!("agent A{n} memberof G {{ workframes: workframe wf {{ when(knownval(current.a = false)) do {{ conclude((current.a = true)); }} }} }}\n")).collect();
    let model = format!(
        "group G {{ attributes: public boolean a; initial_beliefs: (current.a = false); initial_facts: (current.a = false); }}
         {members}
         class C {{ attributes: public boolean b; }}
         object O instanceof C {{ workframes: workframe wf {{ variables: collectall(G) g; when(knownval(g.a = true)) do {{ conclude((current.b = true)); }} }} }}"
    );
    let (code, message) = refused(&model);
    assert_eq!(code, "M0957", "{message}");
    assert!(message.contains("`wf`"), "{message}");
}

/// The process has one order of turns; a verdict of Spin about it would be one about that order.
#[test]
fn open_orders_of_turns_are_refused() {
    let mut sources = Sources::new();
    sources.add("model.b", agent(WORK));
    let (mut options, mut problems) = (Options::default(), Problems::new());
    options.rules.insert("order".to_owned(), "choice".to_owned());
    let draft = Brahms.read(&sources, &options, &mut problems).expect("the model is well-formed");
    let system = draft.system(&[], &mut problems).expect("a model without atoms is a system");
    let problem = system.export.promela(&[], &motet_model::Unexplored).expect_err("this has no translation");
    assert_eq!(problem.code, "M0955");
    assert!(problem.message.contains("order=choice"), "{}", problem.message);
}
