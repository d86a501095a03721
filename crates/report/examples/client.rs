//! A client of the libraries: loads a net, checks two formulas with progress on standard error and a limit
//! that another thread enforces, and prints the report as JSON.
//!
//! `cargo run -p symbolon-report --example client -- philosophers:5`

use std::thread;
use std::time::Duration;
use symbolon_checker::{
    Budget, CheckOptions, Event, Job, Options, PropertyReport, Source, Stop, properties_of_texts, settle,
};
use symbolon_report::{Body, Check, Envelope, ProgressEvent, Report, Status};

fn main() {
    let model = std::env::args().nth(1).unwrap_or_else(|| "philosophers:3".to_string());
    let job = Job::observed(Budget::unlimited(), |event| {
        if let Event::Progress(progress) = event {
            eprint!("{}", ProgressEvent::new(&progress).to_line());
        }
    });
    let patience = job.clone();
    thread::spawn(move || {
        thread::sleep(Duration::from_secs(10));
        patience.cancel();
    });
    let envelope = Envelope {
        command: Some("check".to_string()),
        model: Some(model.clone()),
        seconds: job.elapsed().as_secs_f64(),
        peak_bytes: None,
        ..Envelope::default()
    };
    let report = match settle(checked(&job, model)) {
        Ok(Ok(reports)) => Report::new(envelope, Body::Check(Check::new(&reports)), Status::Ok),
        Ok(Err(why)) => Report::new(envelope, Body::Nothing {}, Status::Unknown(&why)),
        Err(symbolon_checker::Error::Input(errors)) => {
            Report::new(envelope, Body::Nothing {}, Status::Error(&errors))
        }
    };
    print!("{}", report.to_line());
}

fn checked(job: &Job, model: String) -> Result<Vec<PropertyReport>, Stop> {
    let loaded = job.load(Source::Family(model))?;
    let formulas = ["AG !deadlock".to_string(), "EF deadlock".to_string()];
    let properties = properties_of_texts(&loaded, &formulas, None)?.properties;
    let wanted = CheckOptions { witnesses: true, ..CheckOptions::default() };
    job.check(&loaded, &properties, wanted, &Options::default())
}
