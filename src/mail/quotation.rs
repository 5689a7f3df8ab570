//! Quotations without marks: below `-----Original Message-----`, below a block
//! of header lines, below "On Friday, Anna wrote:" where a whole mail of ours
//! follows.
//!
//! Nobody can tell where such a quotation ends, unless the foot of our own mail
//! does; so all that follows counts as quoted, and a move typed below it is
//! asked for again rather than taken from somebody else's words.

use std::sync::LazyLock;

use regex::Regex;

use super::finding::id_of;
use crate::text::{Line, Origin};

/// Marks the lines that are quoted without a mark.
pub fn mark(lines: &mut [Line<'_>]) {
    let mut feet = feet(lines).into_iter().peekable();
    let mut at = 0;
    while at < lines.len() {
        while feet.next_if(|foot| *foot <= at).is_some() {}
        let foot = feet.peek().copied();
        let begins = lines[at].origin == Origin::Own
            && (is_separator(lines[at].text)
                || is_header_block(&lines[at..])
                || (foot.is_some() && is_attribution(lines[at].text)));
        if !begins {
            at += 1;
            continue;
        }
        let end = foot.unwrap_or(lines.len());
        for line in &mut lines[at..end] {
            if line.origin == Origin::Own {
                line.origin = Origin::Quoted(1);
            }
        }
        at = end;
    }
}

/// Where mails of ours end, whose lines stand there without marks: behind the
/// id line and, if it follows, the hash.
fn feet(lines: &[Line<'_>]) -> Vec<usize> {
    let is_own = |line: &Line<'_>| line.origin == Origin::Own;
    let is_hash = |at: usize| {
        lines.get(at).is_some_and(|line| {
            is_own(line) && line.text.trim_start().starts_with("Hash of the moves:")
        })
    };
    lines
        .iter()
        .enumerate()
        .filter(|(_, line)| is_own(line) && id_of(line.text).is_some())
        .map(|(at, _)| at + 1 + usize::from(is_hash(at + 1)))
        .collect()
}

/// `-----Original Message-----` and its like: a word for a message between
/// dashes.
fn is_separator(text: &str) -> bool {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"(?ix)^\s* (?: -{2,} [^-]* (?: messag | mensag | mensaj | nachricht | bericht
              | meddeland | melding | besked | viesti | wiadomo | zpráv | üzenet | сообщени
              | письм | forwarded | weitergeleitet ) [^-]* -{2,}
              | begin\ forwarded\ message: ) \s*$",
        )
        .expect("the pattern is well-formed")
    });
    PATTERN.is_match(text) && !text.contains("PGP")
}

/// The header lines that some programs put over what they quote: three and more
/// in a row, the first of them the sender's.
fn is_header_block(lines: &[Line<'_>]) -> bool {
    static SENDER: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^\s*\*?(?:From|Von|De|Da|Van|Från|Fra|Od|Lähettäjä|Feladó|От)\*?\s?:\*?\s")
            .expect("the pattern is well-formed")
    });
    static HEADER: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^\s*\*?[\p{L}][\p{L} -]{0,20}\*?\s?:\*?(?:\s|$)")
            .expect("the pattern is well-formed")
    });
    let is_header = |line: &Line<'_>| line.origin == Origin::Own && HEADER.is_match(line.text);
    SENDER.is_match(lines[0].text) && lines.len() > 2 && lines[1..3].iter().all(is_header)
}

/// `On Friday, Anna wrote:`, in the tongues that mail programs speak.
fn is_attribution(text: &str) -> bool {
    static WROTE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"(?x)\b (?: wrote | writes | schrieb | schreibt | écrit | escribió | scritto | schreef
              | skrev | escreveu | napisał | kirjoitti | írta | пишет | написал ) \b .* : \s* $",
        )
        .expect("the pattern is well-formed")
    });
    WROTE.is_match(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::lines;

    /// The text of the lines that stay the sender's own.
    fn own(body: &str) -> String {
        let mut lines = lines::split(body);
        mark(&mut lines);
        let own = lines
            .iter()
            .filter(|line| line.origin == Origin::Own && !line.is_blank());
        own.map(|line| line.text).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn what_stands_below_a_separator_is_quoted() {
        for separator in [
            "-----Original Message-----",
            "----- Original Message -----",
            "-------- Forwarded Message --------",
            "---------- Forwarded message ---------",
            "-----Ursprüngliche Nachricht-----",
            "-------- Mensaje original --------",
            "-----Message d'origine-----",
            "Begin forwarded message:",
            "From: Anna <anna@example.org>\nSent: Friday\nSubject: [m]",
            "Von: Anna <anna@example.org>\nGesendet: Freitag\nAn: Ben\nBetreff: [m]",
            "*From:* Anna\n*Sent:* Friday\n*To:* Ben",
        ] {
            assert_eq!(
                own(&format!("Hi\n\n{separator}\n\nn>g5\n")),
                "Hi",
                "{separator}"
            );
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
            "On Friday, Anna wrote:\nn>g5",
            "- - - - - - - -\nn>g5",
        ] {
            assert_eq!(own(body), body.replace('\n', "|"), "{body}");
        }
    }

    #[test]
    fn the_foot_of_our_mail_ends_a_quotation() {
        let mail =
            "It is your move.\n\nGame m, 1 half-moves made.\nHash of the moves: 0123456789abcdef\n";
        for head in [
            "-----Original Message-----",
            "On Friday, Anna wrote:",
            "Am Freitag schrieb Anna :",
        ] {
            let body = format!("top\n{head}\n\n{mail}\nbottom\n");
            assert_eq!(own(&body), "top|bottom", "{head}");
        }
    }
}
