//! What the program sent to the writer of a text before.

/// The mails that were sent to the person who wrote a text, the oldest first,
/// for telling their words from ours.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Sent<'s> {
    texts: &'s [String],
}

impl<'s> Sent<'s> {
    /// Nothing is known to have been sent: somebody pasted the text.
    #[must_use]
    pub const fn nothing() -> Sent<'s> {
        Sent { texts: &[] }
    }

    /// These bodies of mails were sent, the oldest first.
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
