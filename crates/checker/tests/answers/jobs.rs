//! Jobs: progress, cancellation, and several of them at once.

use crate::nets::family;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use symbolon_checker::{
    Budget, CheckOptions, Event, Job, Known, Limits, Loaded, Options, Phase, Progress, Property, Reason,
    Source, StateCount, Stop, Verdict, properties_of_texts,
};

fn properties(loaded: &Loaded, texts: &[&str]) -> Vec<Property> {
    let texts: Vec<String> = texts.iter().map(ToString::to_string).collect();
    properties_of_texts(loaded, &texts, None).expect("right formulas").properties
}

fn reason<T: std::fmt::Debug>(answer: Result<T, Stop>) -> Reason {
    match answer {
        Err(Stop::Unknown(why)) => why.reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn phases_and_verdicts_are_events() {
    type Seen = (Vec<Progress>, Vec<(usize, Verdict)>);
    let seen: Arc<Mutex<Seen>> = Arc::default();
    let writer = Arc::clone(&seen);
    let job = Job::observed(Budget::unlimited(), move |event| {
        let mut seen = writer.lock().expect("no panic");
        match event {
            Event::Progress(progress) => seen.0.push(progress),
            Event::Verdict { number, report } => seen.1.push((number, report.verdict.clone())),
            other => panic!("{other:?}"),
        }
    });
    let loaded = job.load(Source::Family("philosophers:3".into())).expect("a family");
    let properties = properties(&loaded, &["AG !deadlock", "EF deadlock"]);
    let options = Options { no_shortcuts: true, ..Options::default() };
    let reports = job.check(&loaded, &properties, CheckOptions::default(), &options).expect("an answer");
    let (progress, verdicts) = std::mem::take(&mut *seen.lock().expect("no panic"));
    assert_eq!(verdicts, [(0, Verdict::Fails), (1, Verdict::Holds)]);
    let shown: Vec<Verdict> = reports.into_iter().map(|report| report.verdict).collect();
    assert_eq!(shown, [Verdict::Fails, Verdict::Holds]);
    let mut phases: Vec<&str> = progress.iter().map(|progress| progress.phase).collect();
    phases.dedup();
    assert_eq!(phases, ["reading", "proving", "exploring", "answering"]);
    assert!(phases.iter().all(|phase| Phase::ALL.iter().any(|known| known.name() == *phase)));
    let known = |holds, fails, open| Known::Verdicts { holds, fails, open };
    assert_eq!(progress.first().map(|first| &first.known), Some(&Known::Nothing));
    assert!(progress.iter().any(|progress| progress.known == known(0, 1, 1)));
    assert_eq!(progress.last().map(|last| &last.known), Some(&known(1, 1, 0)));
    assert!(progress.is_sorted_by_key(|progress| progress.time));
}

#[test]
fn progress_is_reported_while_nothing_else_happens() {
    let ticks = Arc::new(Mutex::new(0_u32));
    let counted = Arc::clone(&ticks);
    let budget = Budget::new(Limits { time: Some(Duration::from_millis(900)), memory: None });
    let job = Job::observed(budget, move |event| {
        if let Event::Progress(progress) = event
            && progress.phase == "exploring"
            && progress.steps > 0
        {
            *counted.lock().expect("no panic") += 1;
        }
    });
    assert_eq!(reason(job.states(&family("kanban:2000"), &Options::default())), Reason::Timeout);
    assert!(*ticks.lock().expect("no panic") >= 2);
}

#[test]
fn another_thread_cancels() {
    let job = Job::new(Budget::unlimited());
    let loaded = family("kanban:500");
    let properties = properties(&loaded, &["AG EF P1 = 500"]);
    let canceller = job.clone();
    let waiting = thread::spawn(move || {
        thread::sleep(Duration::from_millis(200));
        canceller.cancel();
    });
    let start = Instant::now();
    let options = Options { no_shortcuts: true, ..Options::default() };
    let reports = job.check(&loaded, &properties, CheckOptions::default(), &options).expect("a report");
    waiting.join().expect("it only waits");
    assert_eq!(reports[0].verdict.unknown().map(|why| why.reason), Some(Reason::Interrupted));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

/// A job that runs out of its memory, or is cancelled, leaves another one alone, which takes more.
#[test]
fn two_jobs_at_once_do_not_interrupt_each_other() {
    let limited = |memory| Budget::for_job(Limits { memory, ..Limits::default() });
    let (small, large, cancelled) = (limited(Some(1 << 16)), limited(None), limited(None));
    cancelled.cancel();
    let states =
        |budget: &Budget, model: &str| Job::new(budget.clone()).states(&family(model), &Options::default());
    thread::scope(|scope| {
        let large_answer = scope.spawn(|| states(&large, "kanban:20"));
        assert_eq!(reason(states(&small, "kanban:20")), Reason::Memory);
        assert_eq!(reason(states(&cancelled, "kanban:20")), Reason::Interrupted);
        let report = large_answer.join().expect("no panic").expect("no limit");
        assert_eq!(report.states, StateCount::Finite(805_422_366_595_u64.into()));
    });
    assert!(large.memory().peak() > 1 << 16, "it takes more than the other one may");
    assert_eq!((small.memory().charged(), large.memory().charged()), (0, 0));
}

#[test]
fn a_panic_is_a_report() {
    let job = Job::observed_at_changes(Budget::unlimited(), |event| {
        if let Event::Progress(progress) = event {
            assert_ne!(progress.phase, "answering", "a seeded fault");
        }
    });
    let loaded = job.load(Source::Family("kanban:1".into())).expect("a family");
    let answer = job.states(&loaded, &Options::default());
    let Err(Stop::Unknown(why)) = answer else { panic!("{answer:?}") };
    assert_eq!(why.reason, Reason::Internal);
    assert!(why.detail.contains("a bug") && why.detail.contains("a seeded fault"), "{}", why.detail);
}
