//! Messages that go out.

mod messages;
mod taps;
mod templates;
mod thread;
mod wording;
