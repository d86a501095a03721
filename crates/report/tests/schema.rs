//! Every report and every progress event is as the schema says, straight from the library.

use jsonschema::Validator;
use serde_json::{Value, json};
use std::fs;
use std::sync::{Arc, Mutex};
use symbolon_checker::{
    Budget, CheckOptions, Conversion, DeadlockOptions, Diagram, DiagramKind, DrawOptions, Event, Format,
    FormulaFile, Job, Loaded, Options, PictureFormat, Source, Stop, Subject, Target, Within, every_place,
    families, info_of_agents, properties_of_texts, settle,
};
use symbolon_report::{
    AgentsInfo, Body, Bounds, Check, Convert, Deadlock, Draw, Envelope, Info, Mcmas, Model, ProgressEvent,
    Report, Simulate, States, Status,
};

/// The schema, made strict: a key that it does not describe is a mistake.
fn schema(definition: Option<&str>) -> Validator {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../schema/symbolon.schema.json");
    let text = fs::read_to_string(path).expect("the schema is there");
    let mut schema: Value = serde_json::from_str(&text).expect("the schema is JSON");
    for definition in schema["$defs"].as_object_mut().expect("definitions").values_mut() {
        if definition["type"] == "object" && definition.get("properties").is_some() {
            definition["additionalProperties"] = json!(false);
        }
    }
    match definition {
        None => schema["unevaluatedProperties"] = json!(false),
        Some(name) => {
            let reference = format!("#/$defs/{name}");
            schema = json!({ "$ref": reference, "$defs": schema["$defs"] });
        }
    }
    jsonschema::draft202012::new(&schema).expect("the schema can be used")
}

fn check(validator: &Validator, line: &str) -> Value {
    let value: Value = serde_json::from_str(line).expect("one object");
    if let Some(error) = validator.iter_errors(&value).next() {
        panic!("{error} at {}\n{value:#}", error.instance_path());
    }
    value
}

/// The object of an answer.
fn object<T>(command: &str, answer: Result<T, Stop>, body: impl FnOnce(&T) -> Body) -> Value {
    let envelope = Envelope {
        command: Some(command.into()),
        model: Some("a model".into()),
        seconds: 0.5,
        peak_bytes: None,
        ..Envelope::default()
    };
    let report = match settle(answer) {
        Ok(Ok(answer)) => Report::new(envelope, body(&answer), Status::Ok),
        Ok(Err(why)) => Report::new(envelope, Body::Nothing {}, Status::Unknown(&why)),
        Err(symbolon_checker::Error::Input(errors)) => {
            Report::new(envelope, Body::Nothing {}, Status::Error(&errors))
        }
    };
    check(&schema(None), &report.to_line())
}

fn family(job: &Job, call: &str) -> Loaded {
    job.load(Source::Family(call.into())).expect("a family")
}

#[test]
fn reports_on_nets() {
    let job = Job::new(Budget::unlimited());
    let (net, options) = (family(&job, "philosophers:3"), Options::default());
    for diagram in [
        Diagram::Explicit,
        Diagram::Kind(DiagramKind::Mdd),
        Diagram::Kind(DiagramKind::Bdd),
        Diagram::Kind(DiagramKind::Ddd),
        Diagram::Kind(DiagramKind::Set),
    ] {
        let options = Options { diagram, ..Options::default() };
        let states = object("states", job.states(&net, &options), |report| {
            Body::States(Box::new(States::new(report)))
        });
        assert_eq!(states["states"], json!("27"), "{diagram:?}");
    }
    let distances = job.states_with_distances(&net, &options);
    object("states", distances, |report| Body::States(Box::new(States::new(report))));
    let deadlock = job.deadlock(&net, DeadlockOptions { traces: 2 }, &options);
    let deadlock = object("deadlock", deadlock, |report| Body::Deadlock(Deadlock::new(report)));
    assert_eq!(deadlock["deadlock"], json!(true));
    let bounds = job.bounds(&net, every_place(&net), &options);
    object("bounds", bounds, |report| Body::Bounds(Bounds::new(&report.bounds)));
    object("info", job.info(&net, &options), |report| Body::Info(Box::new(Info::new(report, None))));
    let conversion = Conversion { target: Target::LlNet, drop_dead: false, drop_redundant: false };
    let converted = job.convert(&net, &conversion, &options);
    object("convert", converted, |report| Body::Convert(Convert::new("ll_net", None, report)));
    let wanted = DrawOptions { what: Subject::Net, format: PictureFormat::Dot, ..DrawOptions::default() };
    let drawn = job.draw(&net, &options, &wanted);
    object("draw", drawn, |drawing| Body::Draw(Draw::new("net", "dot", None, drawing)));
    let simulation = job.simulate(net.clone(), 1);
    object("simulate", simulation, |simulation| Body::Simulate(Simulate::new(simulation)));
    let size = symbolon_checker::example_size(&families()[0], &Budget::unlimited()).expect("no limit");
    let models = vec![Model::new(&families()[0], &size)];
    object("models", Ok(()), |()| Body::Models { models });
}

#[test]
fn reports_on_formulas() {
    let job = Job::new(Budget::unlimited());
    let net = family(&job, "philosophers:3");
    let texts = ["AG !deadlock", "EF deadlock", "A (F deadlock)", "AG EF deadlock"].map(str::to_string);
    let properties = properties_of_texts(&net, &texts, None).expect("right formulas").properties;
    let wanted = CheckOptions { witnesses: true, counts: true, ..CheckOptions::default() };
    let answer = job.check(&net, &properties, wanted, &Options::default());
    let checked = object("check", answer, |reports| Body::Check(Check::new(reports)));
    let verdicts: Vec<&Value> =
        checked["properties"].as_array().expect("a list").iter().map(|one| &one["verdict"]).collect();
    assert_eq!(verdicts, [&json!("fails"), &json!("holds"), &json!("fails"), &json!("holds")]);
    let text = job.violating_runs(&properties[2]).expect("an automaton");
    let file = FormulaFile { name: "never.hoa".to_string(), bytes: text.into_bytes() };
    let automaton = job.automaton_of_file(&net, &file, None).expect("a right automaton");
    let answer = job.check_automata(&net, &[automaton], 0, wanted, &Options::default());
    let checked = object("check", answer, |reports| Body::Check(Check::new(reports)));
    assert_eq!(checked["properties"][0]["verdict"], json!("fails"));
    assert_eq!(checked["properties"][0]["automaton"], json!("never.hoa"));
    let within = Within { bound: Some(1), ..Within::default() };
    let answer = job.check_within(&net, &properties[..2], within, &Options::default());
    object("check", answer, |reports| Body::Check(Check::new(reports)));
}

#[test]
fn reports_on_agents() {
    let job = Job::new(Budget::unlimited());
    let agents = family(&job, "prisoners:3");
    let wanted = CheckOptions { witnesses: true, space: true, ..CheckOptions::default() };
    let answer = job.check_and_measure(&agents, agents.properties(), wanted, &Options::default());
    object("mcmas", answer, |(reports, space)| Body::Mcmas(Mcmas::new(reports, space.as_ref())));
    let described = info_of_agents(&agents).map_err(Stop::from);
    object("info", described, |report| Body::AgentsInfo(Box::new(AgentsInfo::new(report))));
    let overflows = job.overflows(&agents, &Options::default()).expect("an answer");
    object("states", job.states(&agents, &Options::default()), |report| {
        Body::States(Box::new(States::new(report))).with_overflow(Some(&overflows))
    });
}

#[test]
fn answers_that_are_missing() {
    let job = Job::new(Budget::unlimited());
    job.cancel();
    let wrong = Source::Bytes {
        name: "net.pnml".into(),
        bytes: b"<pnml>".to_vec(),
        format: Some(Format::Pnml),
        parameters: Vec::new(),
    };
    let nothing = |_: &Loaded| Body::Nothing {};
    let cancelled = object("states", job.load(Source::Family("philosophers:9000".into())), nothing);
    assert_eq!(cancelled["reason"], json!("interrupted"));
    let mistaken = object("states", Job::new(Budget::unlimited()).load(wrong), nothing);
    assert_eq!(mistaken["status"], json!("error"));
}

/// The schema names every kind of diagram and every kernel.
#[test]
fn kinds_of_diagrams_are_in_the_schema() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../schema/symbolon.schema.json");
    let text = fs::read_to_string(path).expect("the schema is there");
    let schema: Value = serde_json::from_str(&text).expect("the schema is JSON");
    let definitions = &schema["$defs"];
    for enumeration in [
        &definitions["states"]["properties"]["diagram"]["enum"],
        &definitions["bound"]["properties"]["method"]["enum"],
    ] {
        let names = enumeration.as_array().expect("names");
        for kind in DiagramKind::ALL {
            assert!(names.contains(&json!(kind.name())), "{kind}: {enumeration}");
        }
    }
}

#[test]
fn progress_events() {
    let lines: Arc<Mutex<Vec<String>>> = Arc::default();
    let writer = Arc::clone(&lines);
    let job = Job::observed(Budget::unlimited(), move |event| {
        if let Event::Progress(progress) = event {
            writer.lock().expect("no panic").push(ProgressEvent::new(&progress).to_line());
        }
    });
    let net = family(&job, "philosophers:3");
    let texts = ["AG !deadlock".to_string()];
    let properties = properties_of_texts(&net, &texts, None).expect("a right formula").properties;
    job.check(&net, &properties, CheckOptions::default(), &Options::default()).expect("an answer");
    let by_diagrams =
        Options { diagram: Diagram::Kind(DiagramKind::Mdd), no_shortcuts: true, ..Options::default() };
    job.check(&net, &properties, CheckOptions::default(), &by_diagrams).expect("an answer");
    job.deadlock(&net, DeadlockOptions::default(), &Options::default()).expect("an answer");
    job.bounds(&net, every_place(&net), &Options::default()).expect("an answer");
    let validator = schema(Some("progress"));
    let lines = lines.lock().expect("no panic");
    let events: Vec<Value> = lines.iter().map(|line| check(&validator, line)).collect();
    for known in ["holds", "deadlock", "bounds"] {
        assert!(events.iter().any(|event| event["known"].get(known).is_some()), "{known}: {events:?}");
    }
    for phase in ["reading", "exploring", "answering", "witnessing"] {
        assert!(events.iter().any(|event| event["phase"] == phase), "{phase}: {events:?}");
    }
    assert!(lines.iter().all(|line| line.lines().count() == 1));
}
