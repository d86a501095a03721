//! How the benches of single operations measure seconds.

use criterion::{BatchSize, BenchmarkId, Criterion};
use std::time::Duration;
use symbolon_bench::{Input, MODELS, Operation, Ready};

/// Measures the seconds of an operation on every input.
pub(crate) fn measure(criterion: &mut Criterion, operation: Operation) {
    let mut group = criterion.benchmark_group(operation.name());
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(600));
    for call in MODELS {
        let input = Input::new(call);
        group.bench_with_input(BenchmarkId::from_parameter(call), &input, |bencher, input| {
            // The manager is handed back, so that dropping it is not measured.
            let work = |mut ready: Ready| (operation.run(&mut ready), ready);
            bencher.iter_batched(|| input.ready(operation), work, BatchSize::PerIteration);
        });
    }
    group.finish();
}
