//! Messages that go out.

mod html;
mod messages;
pub(crate) mod taps;
mod templates;
mod thread;
mod wording;
