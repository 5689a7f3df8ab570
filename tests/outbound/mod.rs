//! Messages that go out.

mod messages;
mod templates;
mod wording;
