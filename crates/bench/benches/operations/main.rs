//! Seconds of the operations, one file each; see the crate's essay. One program for all of them,
//! because linking takes longer than measuring.

mod count;
mod difference;
mod image;
mod intersection;
mod preimage;
mod saturate;
mod seconds;
mod union;

use criterion::{criterion_group, criterion_main};

criterion_group!(
    benches,
    union::bench,
    intersection::bench,
    difference::bench,
    image::bench,
    preimage::bench,
    saturate::bench,
    count::bench,
);
criterion_main!(benches);
