//! Messages that go out.

mod html;
pub(crate) mod messages;
mod page;
pub(crate) mod taps;
mod templates;
mod thread;
mod wording;
