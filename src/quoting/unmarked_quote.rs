//! Quotations without marks: below `-----Original Message-----`, below a block
//! of header lines, below "On Friday, Anna wrote:" where no mark follows.
//!
//! Where such a quotation ends only the foot of our own mail can tell, or a
//! line that says so, or the margin it is set off from. Without them all that
//! follows may be quoted: it is [`Author::Quoted`] with no mark, and a move in it
//! is not taken from it without further proof.

use std::sync::LazyLock;

use regex::Regex;

use crate::quoting::attribution::is_attribution;
use crate::quoting::id_line::IdLine;
use crate::quoting::line::{Author, Line};

/// Marks the lines that are quoted without a mark.
pub(crate) fn mark(lines: &mut [Line<'_>]) {
    let mut ends = ends(lines).into_iter().peekable();
    let mut at = 0;
    while at < lines.len() {
        let Some(body) = begin(lines, at) else {
            at += 1;
            continue;
        };
        // What is marked below a line that says who wrote ends by itself.
        let is_marked = lines
            .get(body)
            .is_some_and(|line| matches!(line.author, Author::Quoted(_)));
        let known = if is_marked {
            Some(body)
        } else {
            while ends.next_if(|end| *end <= body).is_some() {}
            let end = ends.peek().copied();
            margin(&lines[..end.unwrap_or(lines.len())], at, body).or(end)
        };
        let (end, author) = match known {
            Some(end) => (end, Author::Quoted(1)),
            None => (lines.len(), Author::Quoted(0)),
        };
        // A quotation below a signature is none of it.
        let is_signed = lines[at].author == Author::Signature;
        for line in &mut lines[at..end] {
            if line.author == Author::Own || is_signed && line.author == Author::Signature {
                line.author = author;
            }
        }
        at = end.max(at + 1);
    }
}

/// Whether a quotation without marks begins at that line, and where what is
/// quoted begins, behind empty lines.
fn begin(lines: &[Line<'_>], at: usize) -> Option<usize> {
    let line = &lines[at];
    let is_free = is_unmarked(line);
    // The header lines behind empty lines were looked for at the first of them.
    let is_looked_at = at.checked_sub(1).is_some_and(|above| {
        let above = &lines[above];
        is_unmarked(above) && above.is_blank()
    });
    let head = if is_free && is_separator(line.text) {
        let below = &lines[at + 1..];
        1 + headers(below)
            .or_else(|| attribution(below))
            .unwrap_or_default()
    } else if is_free
        && !is_looked_at
        && let Some(count) = headers(&lines[at..])
    {
        count
    } else if (is_free || line.source.starts_with(">>>")) && says_who_wrote(line) {
        let next = lines[at + 1..].iter().find(|line| !line.is_blank())?;
        is_unmarked(next).then_some(1)?
    } else {
        return None;
    };
    let body = lines[at + head..].iter().take_while(|line| line.is_blank());
    Some(at + head + body.count())
}

/// How many lines a line that says who wrote takes with the empty ones above it:
/// some programs put one below a separator.
fn attribution(lines: &[Line<'_>]) -> Option<usize> {
    let at = lines.iter().position(|line| !line.is_blank())?;
    let line = &lines[at];
    (is_unmarked(line) && is_attribution(line.source) && tells_source(line)).then_some(at + 1)
}

/// Whether a line has no mark of a quotation: the sender's own, or of a
/// signature, below which a program may put what it quotes.
fn is_unmarked(line: &Line<'_>) -> bool {
    matches!(line.author, Author::Own | Author::Signature)
}

/// Whether a line says who wrote what is below it. A signature may well hold a
/// saying of somebody's; there a date or an address is asked for.
fn says_who_wrote(line: &Line<'_>) -> bool {
    is_attribution(line.source) && (line.author != Author::Signature || tells_source(line))
}

/// Whether a line has a date or an address in it.
fn tells_source(line: &Line<'_>) -> bool {
    line.source.contains('@') || line.source.bytes().filter(u8::is_ascii_digit).count() > 2
}

/// Where what is quoted without marks can end: behind a line that says so, and
/// where a mail of ours does, behind the id line and, if it follows, the hash.
fn ends(lines: &[Line<'_>]) -> Vec<usize> {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)^\s*-{2,}\s*(?:end|ende|fin|fine|slut)\b[^-]*(?:message|mail|nachricht|messaggio)\b\s*-*\s*$")
            .expect("the pattern is well-formed")
    });
    (0..lines.len())
        .filter(|at| is_unmarked(&lines[*at]))
        .filter_map(|at| {
            if let Some((_, end)) = IdLine::at(lines, at) {
                return Some(end);
            }
            let text = lines[at].text;
            (text.contains("--") && PATTERN.is_match(text)).then_some(at + 1)
        })
        .collect()
}

/// Where the lines come back to the margin, if the quotation is set off from
/// it.
fn margin(lines: &[Line<'_>], at: usize, body: usize) -> Option<usize> {
    let indent = |line: &Line<'_>| line.source.len() - line.source.trim_start().len();
    let is_deep = |line: &Line<'_>| line.is_blank() || indent(line) >= indent(&lines[at]);
    if indent(&lines[at]) == 0 {
        return None;
    }
    Some(
        body + lines[body..]
            .iter()
            .take_while(|line| is_deep(line))
            .count(),
    )
}

/// `-----Original Message-----` and its like: a word for a message between
/// dashes.
fn is_separator(text: &str) -> bool {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"(?ix)^\s* (?: -{2,} [^-]* (?: messag | mensag | mensaj | nachricht | bericht
              | meddeland | melding | besked | viesti | wiadomo | zpráv | üzenet | сообщени
              | письм | forwarded | weitergeleitet | transféré | reenviado | inoltrato ) .* -{2,}
              | -{3,} \s* forwarded\ message
              | begin\ forwarded\ message: | anfang\ der\ weitergeleiteten\ nachricht:
              | début\ du\ message\ (?:réexpédié|transféré)\s?: ) \s*$",
        )
        .expect("the pattern is well-formed")
    });
    // It is asked of every line, of which hardly any looks like one.
    let is_like_one = text.contains("--") || text.trim_end().ends_with(':');
    is_like_one && PATTERN.is_match(text) && !text.contains("PGP")
}

/// The header lines that some programs put over what they quote, behind empty
/// lines: how many lines that is; none unless there are three and more, the
/// first of them the sender's. They follow each other, or all of them have an
/// empty line between.
fn headers(lines: &[Line<'_>]) -> Option<usize> {
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
    let is_free = |line: &&Line<'_>| is_unmarked(line);
    let is_mbox = |line: &Line<'_>| {
        let text = line.text.trim();
        text.starts_with("From ") && text.ends_with(|c: char| c.is_ascii_digit())
    };
    let blanks = lines.iter().take_while(|line| line.is_blank()).count();
    let start = blanks + usize::from(lines.get(blanks).is_some_and(is_mbox));
    let first = lines.get(start).filter(is_free)?;
    if !SENDER.is_match(first.text) {
        return None;
    }
    // A line that says who wrote has a colon at its end, too.
    let is_field = |line: &&Line<'_>| {
        is_free(line) && HEADER.is_match(line.text) && !is_attribution(line.text)
    };
    let rest = lines[start..].iter().take_while(is_free);
    // A long field is folded.
    let folded = |line: &&Line<'_>| {
        is_field(line) || (line.text.starts_with([' ', '\t']) && !line.is_blank())
    };
    let count = rest.take_while(folded).count();
    if lines[start..start + count].iter().filter(is_field).count() > 2 {
        return Some(start + count);
    }
    // Some programs put an empty line behind every line.
    let is_doubled = |pair: &&[Line<'_>]| {
        is_field(&&pair[0])
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
    use crate::quoting::line;

    /// The text of the lines that stay the sender's own, and of those that may
    /// be, in brackets.
    fn own(body: &str) -> String {
        let mut lines = line::split(body);
        mark(&mut lines);
        let shown = lines.iter().filter(|line| !line.is_blank());
        let shown = shown.filter_map(|line| match line.author {
            Author::Own => Some(line.text.to_owned()),
            Author::Quoted(0) => Some(format!("({})", line.text)),
            _ => None,
        });
        shown.collect::<Vec<_>>().join("|")
    }

    #[test]
    fn what_stands_below_a_separator_may_be_quoted() {
        for separator in [
            "-----Original Message-----",
            "----- Original Message -----",
            "-------- Forwarded Message --------",
            "---------- Forwarded message ---------",
            "----- Forwarded message from Anna-Lena <anna-lena@b.test> -----",
            "------- Forwarded Message",
            "-----Ursprüngliche Nachricht-----",
            "-------- Mensaje original --------",
            "-----Message d'origine-----",
            "Begin forwarded message:",
            "From: Anna <anna@example.org>\nSent: Friday\nSubject: [m]",
            "From: Anna <anna@example.org>\n\nSent: Friday\n\nSubject: [m]",
            "From a@b.test Fri Nov 20 03:00:00 2026\nFrom: Anna\nTo: Ben\nSubject: [m]",
            "From: Anna <anna@example.org>\nReferences: <a@b.test>\n\t<c@d.test>\nSubject: [m]",
            "Von: Anna <anna@example.org>\nGesendet: Freitag\nAn: Ben\nBetreff: [m]",
            "*From:* Anna\n*Sent:* Friday\n*To:* Ben",
            "发件人：Anna \n发送时间： Friday\n主题： [m]",
            "On Friday, Anna wrote:",
            "Le 20 nov. 2026, Anna a écrit :",
            ">>> Anna <anna@example.org> 20.11.2026 04:00 >>>",
        ] {
            let own = own(&format!("Hi\n\n{separator}\n\nn>g5\n"));
            assert!(own.starts_with("Hi") && own.ends_with("(n>g5)"), "{own}");
            assert_eq!(own.matches("n>g5").count(), 1, "{own}");
        }
    }

    #[test]
    fn other_rules_and_labels_are_the_sender_s() {
        for body in [
            "---\nn>g5",
            "-----\nn>g5",
            "--- my move ---\nn>g5",
            "From: here on\nn>g5",
            "From: Anna\nTo: Ben\nn>g5",
            "From: Anna\n\nTo: Ben\n\nn>g5",
            "From: Anna\n\n\nTo: Ben\n\n\nDate: now\n\nn>g5",
            "My move:\nn>g5",
            "- - - - - - - -\nn>g5",
        ] {
            let lines: Vec<&str> = body.lines().filter(|line| !line.is_empty()).collect();
            assert_eq!(own(body), lines.join("|"), "{body}");
        }
    }

    #[test]
    fn the_end_is_known_where_something_tells_it() {
        let mail =
            "It is your move.\n\nGame m, 1 half-moves made.\nHash of the moves: 0123456789abcdef\n";
        for head in [
            "-----Original Message-----",
            "-----Original Message-----\nFrom: Anna\nSent: Friday\nTo: Ben",
            "From: Anna\n\nSent: Friday\n\nTo: Ben\n",
            "On Friday, Anna wrote:",
            "Am Freitag schrieb Anna :",
        ] {
            let body = format!("top\n{head}\n\n{mail}\nbottom\n");
            assert_eq!(own(&body), "top|bottom", "{head}");
        }
        for body in [
            "----- Forwarded message from Anna -----\n\nold\n\n----- End forwarded message -----\nn>g5\n",
            "------- Forwarded Message\n\nFrom: Anna\n\nold\n\n------- End of Forwarded Message\n\nn>g5\n",
            "  From: Anna\n  To: Ben\n  Subject: [m]\n\n  old\n\n  old\n\nn>g5\n",
        ] {
            assert_eq!(own(body), "n>g5", "{body}");
        }
    }

    #[test]
    fn marks_below_go_on_as_marks_do() {
        for head in [
            "On Friday, Anna wrote:",
            "-----Original Message-----",
            "-----Original Message-----\nOn 20.11.2026 Anna wrote:",
            "From: Anna\nSent: Friday\nTo: Ben",
        ] {
            let body = format!("top\n{head}\n\n> old\n> 1. P>e3\n\nn>g5\n");
            let own = own(&body);
            assert!(own.ends_with("|n>g5"), "{own}");
            assert!(!own.contains("Anna") || head.starts_with("On "), "{own}");
        }
    }
}
