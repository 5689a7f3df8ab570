//! Messages that go out.

mod messages;
mod templates;
mod thread;
mod wording;
