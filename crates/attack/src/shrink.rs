//! Makes a case that shows a mistake smaller, as long as it still shows a mistake of the same
//! class.

use crate::case::Case;
use crate::compare::{Complaint, Output, compare};
use std::time::{Duration, Instant};

/// The smallest case that was found, and its complaint. `run` runs the program on a case.
pub fn shrink(
    case: &Case,
    complaint: &Complaint,
    patience: Duration,
    run: &mut dyn FnMut(&Case) -> Option<Output>,
) -> (Case, Complaint) {
    let start = Instant::now();
    let (mut least, mut shown) = (case.clone(), complaint.clone());
    if complaint.class == "referee" {
        // A smaller case that the referee cannot read proves nothing.
        return (least, shown);
    }
    'again: loop {
        for smaller in least.smaller() {
            if start.elapsed() > patience {
                return (least, shown);
            }
            let Some(output) = run(&smaller) else { continue };
            let outcome = compare(&smaller, &output);
            let is_same = |found: &Complaint| {
                // There are many ways to be refused, and only the first one is of interest.
                found.class == shown.class && (found.class != "refused" || found.text == shown.text)
            };
            if let Some(same) = outcome.complaints.into_iter().find(is_same) {
                (least, shown) = (smaller, same);
                continue 'again;
            }
        }
        return (least, shown);
    }
}
