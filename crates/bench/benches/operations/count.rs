//! Seconds of `count`.

use crate::seconds::measure;
use criterion::Criterion;
use symbolon_bench::Operation;

pub(crate) fn bench(criterion: &mut Criterion) {
    measure(criterion, Operation::Count);
}
