//! The operations, one a file.

pub(crate) mod apply;
pub(crate) mod concatenate;
pub(crate) mod count;
pub(crate) mod dead;
pub(crate) mod difference;
pub(crate) mod image;
pub(crate) mod intersection;
pub(crate) mod largest;
pub(crate) mod preimage;
pub(crate) mod saturate;
pub(crate) mod union;
