//! What the parser makes of well-formed texts, tidy or not.

use std::collections::BTreeMap;

use motet_brahms::parse::parse;
use motet_brahms::syntax::{
    Action, Activity, ActivityKind, Comparison, Concept, ConceptKind, Declaration, ExpressionNode, Frame,
    Modifier, ReferenceNode, Repeat, Statement, Truth, TypeNode, Unit, Visibility,
};
use motet_source::work::steps;
use motet_source::{FileId, Sources};

const EVERYTHING: &str = include_str!("corpus/everything.b");
const UNTIDY: &str = include_str!("corpus/untidy.b");
const WARD: &str = include_str!("corpus/ward.b");

/// The tree of a text without problems.
fn read(text: &str) -> Unit {
    let mut sources = Sources::new();
    let file = sources.add("model.b", text);
    let (unit, problems) = parse(file, text);
    assert_eq!(problems.lines(&sources), "", "the text is in order");
    unit
}

fn concept<'a>(unit: &'a Unit, name: &str) -> &'a Concept {
    let concepts = unit.declarations.iter().filter_map(|declaration| match declaration {
        Declaration::Concept(concept) => Some(concept),
        Declaration::Path(_) => None,
    });
    concepts.into_iter().find(|concept| concept.name.node == name).expect("the concept is declared")
}

fn frame<'a>(concept: &'a Concept, name: &str) -> &'a Frame {
    let mut frames = concept.body.workframes.iter().chain(&concept.body.thoughtframes);
    frames.find(|frame| frame.name.node == name).expect("the frame is declared")
}

fn activity<'a>(concept: &'a Concept, name: &str) -> &'a Activity {
    concept
        .body
        .activities
        .iter()
        .find(|activity| activity.name.node == name)
        .expect("the activity is declared")
}

fn names(list: &[motet_brahms::syntax::Name]) -> Vec<&str> {
    list.iter().map(|name| name.node.as_str()).collect()
}

#[test]
fn packages_imports_and_all_sorts_of_declarations_are_read() {
    let unit = read(EVERYTHING);
    assert_eq!(unit.package.as_ref().unwrap().node, "museum.night");
    let imports: Vec<_> =
        unit.imports.iter().map(|import| (import.name.node.as_str(), import.all, import.java)).collect();
    assert_eq!(
        imports,
        [
            ("museum.base.Clockwork", false, false),
            ("museum.tools", true, false),
            ("", true, false),
            ("museum.java.Radio", false, true)
        ]
    );
    assert_eq!(unit.declarations.len(), 19, "counted in the file");
    let kinds = |name| concept(&unit, name).kind;
    assert_eq!(kinds("Storey"), ConceptKind::AreaDefinition);
    assert_eq!(kinds("vault"), ConceptKind::Area);
    assert_eq!(kinds("Guards"), ConceptKind::Group);
    assert_eq!(kinds("Wanda"), ConceptKind::Agent);
    assert_eq!(kinds("control"), ConceptKind::ExternalAgent);
    assert_eq!(kinds("Sensor"), ConceptKind::Class);
    assert_eq!(kinds("alarm"), ConceptKind::Object);
    assert_eq!(kinds("Ticket"), ConceptKind::ConceptualClass);
    assert_eq!(kinds("dayPass"), ConceptKind::ConceptualObject);
    assert_eq!(names(&concept(&unit, "Guards").parents), ["Person", "museum.base.Staff"]);
    assert_eq!(names(&concept(&unit, "vault").parents), ["museum.night.Hall"]);
    assert_eq!(names(&concept(&unit, "alarm").part_of), ["Museum", "entrance"]);
    assert_eq!(names(&concept(&unit, "police").parents), ["museum.base.Staff"]);
}

#[test]
fn paths_have_their_parts_in_any_order() {
    let unit = read(EVERYTHING);
    let ends = |declaration: &Declaration| match declaration {
        Declaration::Path(path) => Some((
            path.area1.as_ref().unwrap().node.clone(),
            path.area2.as_ref().unwrap().node.clone(),
            path.distance.as_ref().unwrap().node,
        )),
        Declaration::Concept(_) => None,
    };
    let paths: Vec<_> = unit.declarations.iter().filter_map(ends).collect();
    assert_eq!(paths, [("entrance".into(), "gallery".into(), 30.0), ("gallery".into(), "vault".into(), 5.0)]);
}

#[test]
fn attributes_have_visibility_type_and_display() {
    let unit = read(EVERYTHING);
    let person = &concept(&unit, "Person").body;
    let types: Vec<&TypeNode> = person.attributes.iter().map(|attribute| &attribute.kind.node).collect();
    assert_eq!(
        types,
        [
            &TypeNode::Boolean,
            &TypeNode::Int,
            &TypeNode::Double,
            &TypeNode::Symbol,
            &TypeNode::Text,
            &TypeNode::Long,
            &TypeNode::Map,
            &TypeNode::Java("java.util.Map<String, Integer>".into()),
            &TypeNode::Relation("Person".into()),
            &TypeNode::Concept("Area".into()),
        ]
    );
    assert_eq!(person.attributes[1].visibility, Visibility::Protected);
    assert_eq!(person.attributes[1].display.as_ref().unwrap().node, "how tired");
    assert_eq!(person.attributes[2].visibility, Visibility::Private);
    assert_eq!(person.attributes[3].visibility, Visibility::Public, "the default");
    assert_eq!(person.relations.len(), 2);
    assert_eq!(Some(person.cost.as_ref().unwrap().node), motet_model::Ratio::read("12.5"));
    assert_eq!(person.time_unit.as_ref().unwrap().node, motet_model::Ratio::whole(3600));
    assert_eq!(person.icon.as_ref().unwrap().node, "person.gif");
    assert!(concept(&unit, "Sensor").body.resource.as_ref().unwrap().node);
}

#[test]
fn initial_beliefs_are_comparisons_single_attributes_or_relations() {
    let unit = read(EVERYTHING);
    let beliefs = &concept(&unit, "Person").body.initial_beliefs;
    assert_eq!(beliefs.len(), 12, "counted in the file");
    let Statement::Compare { right, .. } = &beliefs[2].statement else { panic!("{:?}", beliefs[2]) };
    assert!(matches!(&right.node, ExpressionNode::Text(text) if text == "nobody \"yet\""));
    let Statement::Compare { left, .. } = &beliefs[4].statement else { panic!("{:?}", beliefs[4]) };
    assert!(matches!(&left.node, ExpressionNode::Entry(_, map, _) if map.node == "floors"));
    let Statement::Compare { operator, .. } = &beliefs[6].statement else { panic!("{:?}", beliefs[6]) };
    assert_eq!(operator.node, Comparison::Ne);
    let Statement::Compare { right, .. } = &beliefs[7].statement else { panic!("{:?}", beliefs[7]) };
    assert!(matches!(right.node, ExpressionNode::Unknown));
    assert!(matches!(&beliefs[8].statement, Statement::Alone(_)));
    let Statement::Related { truth, object, .. } = &beliefs[10].statement else {
        panic!("{:?}", beliefs[10])
    };
    assert_eq!(truth.as_ref().unwrap().node, Truth::False);
    assert_eq!(object.as_ref().unwrap().node, ReferenceNode::Name("Wanda".into()));
    let Statement::Compare { left, .. } = &beliefs[11].statement else { panic!("{:?}", beliefs[11]) };
    assert!(
        matches!(&left.node, ExpressionNode::Attribute(class, _) if class.node == ReferenceNode::Every("Sensor".into()))
    );
    let facts = &concept(&unit, "Person").body.initial_facts;
    let Statement::Compare { right, .. } = &facts[0].statement else { panic!("{:?}", facts[0]) };
    assert!(matches!(right.node, ExpressionNode::Int(-1)));
}

#[test]
fn activities_keep_fields_parameters_and_transfers() {
    let unit = read(EVERYTHING);
    let guards = concept(&unit, "Guards");
    let kinds: Vec<ActivityKind> = guards.body.activities.iter().map(|activity| activity.kind).collect();
    assert_eq!(
        kinds,
        [
            ActivityKind::Primitive,
            ActivityKind::Move,
            ActivityKind::Communicate,
            ActivityKind::Broadcast,
            ActivityKind::Get,
            ActivityKind::Put,
            ActivityKind::Gesture,
            ActivityKind::CreateObject,
            ActivityKind::CreateAgent,
            ActivityKind::CreateArea,
            ActivityKind::Java,
            ActivityKind::Composite,
        ]
    );
    let watch = activity(guards, "watch");
    let fields: Vec<(&str, usize)> =
        watch.fields.iter().map(|field| (field.name.node.as_str(), field.values.len())).collect();
    assert_eq!(
        fields,
        [
            ("display", 1),
            ("priority", 1),
            ("max_duration", 1),
            ("min_duration", 1),
            ("random", 1),
            ("resources", 2)
        ]
    );
    let report = activity(guards, "report");
    assert_eq!(report.parameters.len(), 2);
    assert_eq!(report.about.len(), 8, "counted in the file");
    assert_eq!(report.about.iter().filter(|transfer| transfer.send).count(), 7);
    let Statement::Compare { right, .. } = &report.about[3].statement else {
        panic!("{:?}", report.about[3])
    };
    assert!(matches!(right.node, ExpressionNode::Any));
    let Statement::Related { object, truth, .. } = &report.about[6].statement else {
        panic!("{:?}", report.about[6])
    };
    assert_eq!(object.as_ref().unwrap().node, ReferenceNode::Any);
    assert_eq!(truth.as_ref().unwrap().node, Truth::True);
}

#[test]
fn composite_activities_hold_frames_activities_and_detectables() {
    let unit = read(EVERYTHING);
    let round = activity(concept(&unit, "Guards"), "round");
    assert_eq!(round.body.detectables.len(), 1);
    assert_eq!(round.body.detectables[0].then.as_ref().unwrap().node, "end_activity");
    assert_eq!(round.body.activities.len(), 1);
    assert_eq!(round.body.activities[0].body.workframes.len(), 1);
    assert_eq!(round.body.workframes[0].repeat.as_ref().unwrap().node, Repeat::Once);
    assert_eq!(round.body.thoughtframes.len(), 1);
    assert_eq!(round.fields.len(), 2, "priority and end_condition");
}

#[test]
fn a_frame_has_variables_detectables_guard_and_body() {
    let unit = read(EVERYTHING);
    let patrol = frame(concept(&unit, "Guards"), "wf_patrol");
    assert_eq!(patrol.priority.as_ref().unwrap().node, 10.5);
    assert_eq!(patrol.kind.as_ref().unwrap().node, "dataframe");
    assert_eq!(patrol.variables.len(), 5);
    let detectables: Vec<_> = patrol
        .detectables
        .iter()
        .map(|detectable| {
            let part =
                |number: &Option<motet_source::Spanned<f64>>| number.as_ref().map(|number| number.node);
            let then = detectable.then.as_ref().map(|then| then.node.as_str());
            (detectable.name.node.as_str(), part(&detectable.at), part(&detectable.certainty), then)
        })
        .collect();
    assert_eq!(
        detectables,
        [
            ("seen", Some(50.0), Some(75.0), Some("impasse")),
            ("heard", None, None, None),
            ("anything", None, None, Some("continue")),
            ("over", None, Some(100.0), Some("complete")),
        ]
    );
    let modifiers: Vec<Option<Modifier>> = patrol
        .guard
        .iter()
        .map(|condition| condition.modifier.as_ref().map(|modifier| modifier.node))
        .collect();
    let value = Some(Modifier::KnownValue);
    assert_eq!(
        modifiers,
        [
            Some(Modifier::Known),
            Some(Modifier::Unknown),
            value,
            value,
            Some(Modifier::Not),
            None,
            Some(Modifier::Known),
            None,
            value,
            value,
            value,
            value
        ]
    );
    let operator = |at: usize| match &patrol.guard[at].statement {
        Statement::Compare { operator, .. } => operator.node,
        other => panic!("{other:?}"),
    };
    assert_eq!((operator(9), operator(10)), (Comparison::Le, Comparison::Ge), "`=<` and `=>`");
}

#[test]
fn certainties_come_in_either_order_and_calls_take_any_value() {
    let unit = read(EVERYTHING);
    let patrol = frame(concept(&unit, "Guards"), "wf_patrol");
    let Statement::Related { object: None, truth: None, .. } = &patrol.guard[6].statement else {
        panic!("{:?}", patrol.guard[6])
    };
    let concludes: Vec<_> = patrol
        .body
        .iter()
        .filter_map(|action| match action {
            Action::Conclude(conclude) => Some((
                conclude.belief.as_ref().map(|number| number.node),
                conclude.fact.as_ref().map(|number| number.node),
            )),
            _ => None,
        })
        .collect();
    assert_eq!(
        concludes,
        [(None, None), (None, Some(0.0)), (Some(0.0), Some(25.0)), (Some(12.0), None)],
        "bc and fc in either order"
    );
    let Action::Do { name, arguments, .. } = &patrol.body[6] else { panic!("{:?}", patrol.body[6]) };
    assert_eq!((name.node.as_str(), arguments.len()), ("println", 5));
}

#[test]
fn operators_bind_as_in_mathematics() {
    let unit = read(EVERYTHING);
    let patrol = frame(concept(&unit, "Guards"), "wf_patrol");
    let Statement::Compare { right, .. } = &patrol.guard[8].statement else { panic!("a comparison") };
    assert_eq!(shape(right), "(((((s.level Sub 2) Mul 3) Div (4 Power (2 Power 1))) Mod 5) WholeDiv 2)");
    let Statement::Compare { left, right, .. } = &patrol.guard[9].statement else { panic!("a comparison") };
    assert_eq!((shape(left), shape(right)), ("-s.level".into(), "--3".into()));
}

fn shape(expression: &motet_brahms::syntax::Expression) -> String {
    match &expression.node {
        ExpressionNode::Int(value) => value.to_string(),
        ExpressionNode::Attribute(reference, name) => match &reference.node {
            ReferenceNode::Name(of) => format!("{of}.{}", name.node),
            other => format!("{other:?}.{}", name.node),
        },
        ExpressionNode::Negate(inner) => format!("-{}", shape(inner)),
        ExpressionNode::Binary(operator, left, right) => {
            format!("({} {operator:?} {})", shape(left), shape(right))
        }
        other => format!("{other:?}"),
    }
}

#[test]
fn untidy_texts_are_read_with_a_warning_for_the_hyphen_alone() {
    for text in [UNTIDY.to_owned(), UNTIDY.replace('\n', "\r\n")] {
        let (unit, problems) = parse(FileId(0), &text);
        let codes: Vec<_> = problems.iter().map(|problem| problem.code).collect();
        assert_eq!(codes, ["M0712"], "{problems:?}");
        let helper = concept(&unit, "helper");
        let attributes: Vec<&str> =
            helper.body.attributes.iter().map(|attribute| attribute.name.node.as_str()).collect();
        assert_eq!(
            attributes,
            ["break", "time", "type", "location", "display", "name", "end", "start", "items", "again"],
            "keywords are names, sections are joined"
        );
        assert_eq!(helper.body.initial_beliefs.len(), 3);
        let one = concept(&unit, "helperOne");
        assert_eq!(one.body.activities.len(), 4);
        let frames: Vec<&str> = one.body.workframes.iter().map(|frame| frame.name.node.as_str()).collect();
        assert_eq!(frames, ["type", "display", "when"]);
        let kind = frame(one, "type");
        assert_eq!(
            (kind.guard.len(), kind.body.len()),
            (5, 4),
            "guard after body, grouped conditions flattened"
        );
        assert_eq!(kind.repeat.as_ref().unwrap().node, Repeat::True);
        assert_eq!(frame(one, "when").detectables.len(), 1);
        assert_eq!(concept(&unit, "room").part_of[0].node, "first-floor");
    }
}

#[test]
fn a_file_may_be_empty_or_hold_a_package_only() {
    for text in ["", "\n", "// nothing", "package p;", "import a.*;\n", "\u{FEFF}", ";"] {
        assert!(read(text).declarations.is_empty(), "{text:?}");
    }
}

#[test]
fn letters_of_other_encodings_do_not_stop_reading() {
    let bytes = b"// caf\xE9\nagent Ren\xE9 { display: \"\xFC\"; }";
    let unit = read(&String::from_utf8_lossy(bytes));
    assert_eq!(unit.declarations.len(), 1);
}

#[test]
fn spans_cover_what_they_name() {
    let unit = read(WARD);
    let text = |span: motet_source::Span| &WARD[span.start as usize..span.end as usize];
    let nurse = concept(&unit, "Nurse");
    assert!(text(nurse.span).starts_with("group Nurse {") && text(nurse.span).ends_with("}\n}"));
    let water = frame(nurse, "wf_water");
    assert_eq!(text(water.name.span), "wf_water");
    assert_eq!(text(water.guard[0].span), "knownval(p.thirsty = true)");
    assert_eq!(text(nurse.body.initial_beliefs[0].span), "(Ada.location = bedA)");
    let Action::Conclude(conclude) = &water.body[3] else { panic!("{:?}", water.body[3]) };
    assert_eq!(text(conclude.span), "conclude((p.glasses = p.glasses + 1))");
    let Statement::Compare { left, operator, right } = &conclude.statement else { panic!("a comparison") };
    assert_eq!((text(left.span), text(operator.span), text(right.span)), ("p.glasses", "=", "p.glasses + 1"));
}

/// Words that the tree keeps as kinds, flags or not at all.
const KEYWORDS: &str = "areadef area group agent class object path extends instanceof memberof partof area1 area2 \
    distance attributes initial_beliefs initial_facts activities workframes public boolean int true false current \
    primitive_activity communicate move about send workframe repeat when knownval known and do conclude bc fc dc \
    variables forone detectables detectable whenever detect then priority location";

#[test]
fn no_name_of_the_text_is_lost_in_the_tree() {
    let keywords: Vec<&str> = KEYWORDS.split_whitespace().collect();
    let mut written: BTreeMap<&str, usize> = BTreeMap::new();
    let code: String = WARD.lines().filter(|line| !line.starts_with("//")).collect::<Vec<_>>().join("\n");
    for word in code.split(|c: char| !c.is_alphanumeric() && c != '_') {
        if word.starts_with(char::is_alphabetic) && !keywords.contains(&word) {
            *written.entry(word).or_default() += 1;
        }
    }
    let tree = format!("{:?}", read(WARD));
    let mut kept: BTreeMap<&str, usize> = BTreeMap::new();
    for word in tree.split('"').skip(1).step_by(2).filter(|word| !keywords.contains(word)) {
        *kept.entry(word).or_default() += 1;
    }
    // Names of fields are words of the text that the list above does not hold.
    assert_eq!(written, kept);
    assert!(written.len() >= 25, "the text has names");
}

#[test]
fn a_megabyte_is_read_in_a_few_looks_at_each_token() {
    let mut text = String::new();
    let body = WARD.split_once("group Patient").expect("the ward has patients").1;
    let mut number = 0;
    while text.len() < 1 << 20 {
        number += 1;
        text.push_str(&format!("group Patient{number} {}", body.replace("Patient", "Someone")));
    }
    let (looks, unit) = steps(|| read(&text));
    assert_eq!(unit.declarations.len(), number * 5, "two groups and three agents each time");
    assert!(looks < 20 * text.len() as u64, "{looks} looks");
}
