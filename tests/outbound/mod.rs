//! Messages that go out.

mod messages;
mod wording;
