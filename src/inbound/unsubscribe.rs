//! The letter by which a mail program unsubscribes its user.
//!
//! Our mails name it in `List-Unsubscribe` (RFC 2369). A program sends it on one click,
//! with an empty body or with words of its own, and cites nothing, so that its subject
//! has to say everything.

use crate::match_id::Id;
use crate::matches::answer_code::AnswerCode;

/// The word that stands behind the id of the match.
const WORD: &str = "unsubscribe";

/// A letter that asks for no more mail about a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unsubscribe {
    /// The code by which it proves its sender, if it has one.
    pub code: Option<AnswerCode>,
}

impl Unsubscribe {
    /// Reads a subject: `[ID] unsubscribe-CODE`, with or without the code.
    #[must_use]
    pub fn read(subject: &str, id: &Id) -> Option<Unsubscribe> {
        let rest = subject.trim().strip_prefix('[')?;
        let rest = rest.strip_prefix(id.as_str())?.strip_prefix(']')?;
        let (word, code) = match rest.trim().split_once('-') {
            Some((word, code)) => (word, Some(code.parse().ok()?)),
            None => (rest.trim(), None),
        };
        let is_word = word.eq_ignore_ascii_case(WORD);
        is_word.then_some(Unsubscribe { code })
    }
}

#[cfg(test)]
mod tests {
    use super::Unsubscribe;

    #[test]
    fn only_a_subject_that_says_nothing_else_unsubscribes() {
        let id = "k7f3qd".parse().unwrap();
        let read = |subject: &str| Unsubscribe::read(subject, &id);
        let code = "abcdefghijklmn23";
        for (subject, expected) in [
            ("[k7f3qd] unsubscribe", None),
            (" [k7f3qd] Unsubscribe ", None),
            ("[k7f3qd] unsubscribe-abcdefghijklmn23", Some(code)),
        ] {
            let found = read(subject).unwrap();
            let expected = expected.map(|code| code.parse().unwrap());
            assert_eq!(found.code, expected, "{subject}");
        }
        for subject in [
            "",
            "unsubscribe",
            "[other1] unsubscribe",
            "Re: [k7f3qd] unsubscribe",
            "[k7f3qd] Unachess: unsubscribe",
            "[k7f3qd] unsubscribe me",
            "[k7f3qd] unsubscribe-abcdefghijklmn23 now",
            "[k7f3qd] unsubscribe-me",
        ] {
            assert_eq!(read(subject), None, "{subject}");
        }
    }
}
