//! Messages that go out.

mod html;
mod messages;
mod taps;
mod templates;
mod thread;
mod wording;
