//! Questions through a job, with what it reports on the way handed over afterwards.

use std::sync::{Arc, Mutex};
use symbolon_budget::Budget;
use symbolon_checker::{
    BoundReport, BoundTarget, BoundsReport, CheckOptions, Conversion, ConvertReport, DeadlockOptions,
    DeadlockReport, Error, Event, Examination, ExaminationLine, FormulaFile, InfoReport, Job, Loaded,
    Options, OverflowReport, Property, PropertyReport, Source, StatesReport, Stop, Unknown, settle,
};

pub(crate) fn load(source: Source, budget: &Budget) -> Result<Loaded, Stop> {
    Job::new(budget.clone()).load(source)
}

pub(crate) fn states(loaded: &Loaded, options: &Options, budget: &Budget) -> Result<StatesReport, Stop> {
    Job::new(budget.clone()).states(loaded, options)
}

pub(crate) fn deadlock(loaded: &Loaded, options: &Options, budget: &Budget) -> Result<DeadlockReport, Stop> {
    Job::new(budget.clone()).deadlock(loaded, DeadlockOptions::default(), options)
}

pub(crate) fn info(loaded: &Loaded, options: &Options, budget: &Budget) -> Result<InfoReport, Stop> {
    Job::new(budget.clone()).info(loaded, options)
}

pub(crate) fn overflows(loaded: &Loaded, options: &Options, budget: &Budget) -> Result<OverflowReport, Stop> {
    Job::new(budget.clone()).overflows(loaded, options)
}

pub(crate) fn convert(
    loaded: &Loaded,
    conversion: &Conversion,
    options: &Options,
    budget: &Budget,
) -> Result<ConvertReport, Stop> {
    Job::new(budget.clone()).convert(loaded, conversion, options)
}

/// Runs a question and returns with its answer what `note` picked from the events.
fn observed<T, N: Send + 'static>(
    budget: &Budget,
    note: impl Fn(&Event<'_>) -> Option<N> + Send + Sync + 'static,
    question: impl FnOnce(&Job) -> T,
) -> (T, Vec<N>) {
    let notes = Arc::new(Mutex::new(Vec::new()));
    let writer = Arc::clone(&notes);
    let job = Job::observed_at_changes(budget.clone(), move |event| {
        writer.lock().expect("no panic").extend(note(&event));
    });
    let answer = question(&job);
    let notes = std::mem::take(&mut *notes.lock().expect("no panic"));
    (answer, notes)
}

/// The edge: an answer that is unknown as a whole is not expected here.
fn known<T>(answer: Result<T, Stop>) -> Result<T, Error> {
    settle(answer).map(|answer| answer.expect("an answer"))
}

pub(crate) fn check(
    loaded: &Loaded,
    properties: &[Property],
    wanted: CheckOptions,
    options: &Options,
    budget: &Budget,
    tell: &mut dyn FnMut(usize, &PropertyReport),
) -> Result<Vec<PropertyReport>, Error> {
    let note = |event: &Event<'_>| match event {
        Event::Verdict { number, report } => Some((*number, (*report).clone())),
        _ => None,
    };
    let (answer, notes) = observed(budget, note, |job| job.check(loaded, properties, wanted, options));
    notes.iter().for_each(|(number, report)| tell(*number, report));
    known(answer)
}

pub(crate) fn bounds(
    loaded: &Loaded,
    targets: Vec<BoundTarget>,
    options: &Options,
    budget: &Budget,
    tell: &mut dyn FnMut(usize, &BoundReport),
) -> Result<BoundsReport, Error> {
    let note = |event: &Event<'_>| match event {
        Event::Bound { number, report } => Some((*number, (*report).clone())),
        _ => None,
    };
    let (answer, notes) = observed(budget, note, |job| job.bounds(loaded, targets, options));
    notes.iter().for_each(|(number, report)| tell(*number, report));
    known(answer)
}

pub(crate) fn examine(
    loaded: &Loaded,
    examination: Examination,
    file: Option<&FormulaFile>,
    options: &Options,
    budget: &Budget,
    emit: &mut dyn FnMut(ExaminationLine),
) -> Result<Option<Unknown>, Error> {
    let note = |event: &Event<'_>| match event {
        Event::Line(line) => Some((*line).clone()),
        _ => None,
    };
    let (answer, notes) = observed(budget, note, |job| job.examine(loaded, examination, file, options));
    notes.into_iter().for_each(emit);
    known(answer)
}
