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

/// Returns the number of lines of the header block at the start of `lines`, including
/// the empty lines above it.
///
/// A block has at least three fields, and the first names the sender. The fields follow
/// each other directly, or each has an empty line below it. A postmark may stand above
/// them.
pub(super) fn length(lines: &[Line<'_>]) -> Option<usize> {
    static SENDER: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"(?x)^\s* \*? (?: From | Von | De | Da | Van | Från | Fra | Od | Lähettäjä | Feladó
              | От | Від | Kimden | Expéditeur | Mittente | Afzender | Remitente | Odesílatel
              | 发件人 | 寄件者 | 差出人 | 보낸\ 사람 ) \*? \s? (?: : \*? \s | ： )",
        )
        .expect("the pattern is well-formed")
    });
    static HEADER: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^\s*\*?\p{L}[\p{L} -]{0,24}\*?\s?(?::\*?(?:\s|$)|：)")
            .expect("the pattern is well-formed")
    });
    let is_free = |line: &&Line<'_>| line.is_unmarked();
    let blanks = lines.iter().take_while(|line| line.is_blank()).count();
    let is_marked = |line: &Line<'_>| is_postmark(line.text.trim_start());
    let start = blanks + usize::from(lines.get(blanks).is_some_and(is_marked));
    let first = lines.get(start).filter(is_free)?;
    // A list of moves has no colon, and so needs no expression.
    if !first.text.contains([':', '：']) || !SENDER.is_match(first.text) {
        return None;
    }
    // An attribution ends with a colon, too.
    let is_field = |line: &&Line<'_>| {
        is_free(line) && HEADER.is_match(line.text) && !is_attribution(line.text)
    };
    let rest = lines[start..].iter().take_while(is_free);
    // A long field continues on indented lines.
    let folded = |line: &&Line<'_>| {
        is_field(line) || (line.text.starts_with([' ', '\t']) && !line.is_blank())
    };
    let count = rest.take_while(folded).count();
    if lines[start..start + count].iter().filter(is_field).count() > 2 {
        return Some(start + count);
    }
    // Some programs put an empty line after every line.
    let is_doubled = |pair: &&[Line<'_>]| {
        is_field(&&pair[0])
            && pair
                .get(1)
                .is_none_or(|line| is_free(&line) && line.is_blank())
    };
    let count = lines[start..].chunks(2).take_while(is_doubled).count();
    (count > 2).then_some((start + 2 * count).min(lines.len()))
}
