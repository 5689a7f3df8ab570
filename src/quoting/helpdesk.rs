//! The habits of a helpdesk, for the tests: its customers answer its mails, and order articles
//! by writing their numbers. It knows no game.

use crate::quoting::classify::classify;
use crate::quoting::habits::{Foot, Habits};
use crate::quoting::line::Line;
use crate::quoting::sent::Sent;

/// The habits of a helpdesk.
pub(crate) static HELPDESK: Habits = Habits {
    fields: &["Ticket", "Urgency"],
    headings: &["In stock:"],
    is_like_order: |word| {
        let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
        has_digit && word.bytes().any(|byte| byte.is_ascii_alphabetic())
    },
    foot,
    samples: || vec![("foot", vec!["Ticket m, code 0123456789abcdef.".to_owned()])],
    ..Habits::NONE
};

/// Reads `Ticket m, code 0123456789abcdef.`
fn foot(lines: &[Line<'_>], at: usize) -> Option<Foot> {
    let text = lines[at].plain();
    let (_, code) = text.trim().strip_prefix("Ticket ")?.split_once(", code ")?;
    Some(Foot {
        hash: code.strip_suffix('.').map(str::to_owned),
        end: at + 1,
    })
}

/// Classifies a text with nothing known to have been sent.
pub(crate) fn pasted(text: &str) -> Vec<Line<'_>> {
    classify(text, &Sent::nothing(), &HELPDESK)
}
