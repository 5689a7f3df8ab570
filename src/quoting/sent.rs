//! The mails that the program sent to the writer of a text before.

/// The mails sent to the writer of a text, the oldest first. They help tell the
/// writer's words from ours.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Sent<'s> {
    texts: &'s [String],
}

impl<'s> Sent<'s> {
    /// Nothing is known to have been sent, as for a pasted text.
    #[must_use]
    pub const fn nothing() -> Sent<'s> {
        Sent { texts: &[] }
    }

    /// The bodies of the mails that were sent, the oldest first.
    #[must_use]
    pub const fn texts(texts: &'s [String]) -> Sent<'s> {
        Sent { texts }
    }
}

impl<'s> IntoIterator for Sent<'s> {
    type Item = &'s String;
    type IntoIter = std::slice::Iter<'s, String>;

    fn into_iter(self) -> Self::IntoIter {
        self.texts.iter()
    }
}
