//! The answer of a command that prints a text: help, completions, manual pages.

use crate::answer::{Answer, Detail};
use symbolon_report::Body;
use symbolon_report::Status;

/// A text.
pub(crate) struct TextAnswer(pub(crate) String);

impl Answer for TextAnswer {
    fn text(&self, _: Detail) -> String {
        self.0.clone()
    }

    fn is_verbatim(&self) -> bool {
        true
    }

    fn body(&self) -> Body {
        Body::Text { text: anstream::adapter::strip_str(&self.0).to_string() }
    }

    fn status(&self) -> Status<'_> {
        Status::Ok
    }
}
