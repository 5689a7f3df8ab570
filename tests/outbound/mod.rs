//! Messages that go out.

mod html;
mod messages;
mod templates;
mod thread;
mod wording;
