//! Header blocks: the header fields that some programs put above an unmarked quotation.

use std::sync::LazyLock;

use regex::Regex;

use crate::quoting::attribution::is_attribution;
use crate::quoting::line::Line;

/// Returns true if the line is the postmark of a message in an mbox: `From ` at the
/// start and a date with its year at the end.
pub(super) fn is_postmark(text: &str) -> bool {
    let is_year = |word: &str| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    // The zone may follow the year.
    text.starts_with("From ") && text.split_whitespace().rev().take(2).any(is_year)
}

/// The names of the field with the sender.
const SENDERS: [&str; 22] = [
    "From",
    "Von",
    "De",
    "Da",
    "Van",
    "Från",
    "Fra",
    "Od",
    "Lähettäjä",
    "Feladó",
    "От",
    "Від",
    "Kimden",
    "Expéditeur",
    "Mittente",
    "Afzender",
    "Remitente",
    "Odesílatel",
    "发件人",
    "寄件者",
    "差出人",
    "보낸 사람",
];

/// Returns samples of what this pass reacts to.
pub(super) fn tokens() -> Vec<String> {
    let senders = SENDERS.iter().map(|name| format!("{name}: Anna"));
    let others = [
        "From: Anna <anna@white.test>\nSent: Friday\nTo: Ben\nSubject: hello",
        "Von: Anna\nGesendet: Freitag\nAn: Ben\nBetreff: hallo",
        "*From:* Ref <ref@example.org>",
        "From anna@white.test Fri Nov 20 03:00:00 2026",
    ];
    senders.chain(others.map(str::to_owned)).collect()
}

/// Returns true if a line begins with the name of such a field and its colon.
pub(super) fn names_sender(text: &str) -> bool {
    let text = text.trim_start();
    let text = text.strip_prefix('*').unwrap_or(text);
    SENDERS.iter().any(|name| {
        let Some(rest) = text.strip_prefix(name) else {
            return false;
        };
        let rest = rest.strip_prefix('*').unwrap_or(rest);
        let rest = rest.strip_prefix(char::is_whitespace).unwrap_or(rest);
        let value = rest.strip_prefix(':');
        let value = value.map(|value| value.strip_prefix('*').unwrap_or(value));
        rest.starts_with('：') || value.is_some_and(|value| value.starts_with(char::is_whitespace))
    })
}

/// Returns true if a line looks like a field of a header: a word or a few, and a colon.
pub(super) fn is_field(text: &str) -> bool {
    static HEADER: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^\s*\*?\p{L}[\p{L} -]{0,24}\*?\s?(?::\*?(?:\s|$)|：)")
            .expect("the pattern is well-formed")
    });
    HEADER.is_match(text)
}

/// Returns the number of lines of the header block at the start of `lines`, including
/// the empty lines above it.
///
/// A block has at least three fields, and the first names the sender. The fields follow
/// each other directly, or each has an empty line below it. A postmark may stand above
/// them.
pub(super) fn length(lines: &[Line<'_>]) -> Option<usize> {
    let is_free = |line: &&Line<'_>| line.is_unmarked();
    let blanks = lines.iter().take_while(|line| line.is_blank()).count();
    let is_marked = |line: &Line<'_>| is_postmark(line.text.trim_start());
    let start = blanks + usize::from(lines.get(blanks).is_some_and(is_marked));
    let first = lines.get(start).filter(is_free)?;
    // Mostly nothing names a sender, and so no expression is needed.
    if !names_sender(first.text) {
        return None;
    }
    // An attribution ends with a colon, too.
    let is_head =
        |line: &&Line<'_>| is_free(line) && is_field(line.text) && !is_attribution(line.text);
    let rest = lines[start..].iter().take_while(is_free);
    // A long field continues on indented lines.
    let folded = |line: &&Line<'_>| {
        is_head(line) || (line.text.starts_with([' ', '\t']) && !line.is_blank())
    };
    let count = rest.take_while(folded).count();
    if lines[start..start + count].iter().filter(is_head).count() > 2 {
        return Some(start + count);
    }
    // Some programs put an empty line after every line.
    let is_doubled = |pair: &&[Line<'_>]| {
        is_head(&&pair[0])
            && pair
                .get(1)
                .is_none_or(|line| is_free(&line) && line.is_blank())
    };
    let count = lines[start..].chunks(2).take_while(is_doubled).count();
    (count > 2).then_some((start + 2 * count).min(lines.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same by the expression that was compiled for each run.
    #[test]
    fn a_sender_is_named_as_the_expression_says() {
        let sender = Regex::new(
            r"(?x)^\s* \*? (?: From | Von | De | Da | Van | Från | Fra | Od | Lähettäjä | Feladó
              | От | Від | Kimden | Expéditeur | Mittente | Afzender | Remitente | Odesílatel
              | 发件人 | 寄件者 | 差出人 | 보낸\ 사람 ) \*? \s? (?: : \*? \s | ： )",
        )
        .unwrap();
        let names = SENDERS
            .into_iter()
            .chain(["", "Fro", "from", "Game", "Ode", "X"]);
        for name in names {
            for before in ["", " ", "*", " *", "**", "\u{a0}*", "x", ">"] {
                for between in ["", "*", " ", "* ", " *", "  ", "\u{a0}", "x"] {
                    for behind in [":", ": ", ":* ", ":*", ":\t", "：", "：x", ":x", "", " :"] {
                        let text = format!("{before}{name}{between}{behind}Ann");
                        assert_eq!(names_sender(&text), sender.is_match(&text), "{text}");
                        let text = format!("{before}{name}{between}{behind}");
                        assert_eq!(names_sender(&text), sender.is_match(&text), "{text}");
                    }
                }
            }
        }
    }
}
