//! Messages that go out.

mod messages;
