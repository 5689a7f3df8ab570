//! Messages that go out.

mod html;
mod messages;
mod page;
pub(crate) mod taps;
mod templates;
mod thread;
mod wording;
