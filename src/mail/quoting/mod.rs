//! Tells whose words each line of a text is, for every command that reads a text; and samples
//! of everything that the passes react to, for tests that play the part of an adversary.
//!
//! [`classify`] runs a list of passes over the lines. The other files hold the passes, the
//! patterns that they look for and the types of the result.

pub mod attribution;
mod boilerplate;
mod enclosed;
pub mod habits;
pub mod header_block;
#[cfg(test)]
pub(crate) mod helpdesk;
pub mod line;
mod our_mail;
mod quotation;
pub mod sent;
pub mod thread;
pub mod wrapped_line;

use crate::quoting::habits::Habits;
use crate::quoting::line::{Author, Line};
use crate::quoting::sent::Sent;

/// Splits a text into lines and tells whose words each is.
///
/// Lines end with LF, CR LF or CR. `sent` holds what was sent to the writer before, and
/// `habits` what the mails of the program look like that has sent it. The cost is linear in
/// the length of the text.
///
/// # Examples
///
/// ```
/// use parapost_mail::quoting::classify;
/// use parapost_mail::quoting::habits::Habits;
/// use parapost_mail::quoting::line::Author;
/// use parapost_mail::quoting::sent::Sent;
///
/// let text = "n>g5\n\nAnna wrote:\n> 1. P>e3\n-- \nBen\n";
/// let lines = classify(text, &Sent::nothing(), &Habits::NONE);
/// assert_eq!(lines[0].author, Author::Own);
/// assert_eq!((lines[3].author, lines[3].text), (Author::Quoted(1), " 1. P>e3"));
/// assert_eq!(lines[5].author, Author::Signature);
/// ```
#[must_use]
pub fn classify<'a>(text: &'a str, sent: &Sent, habits: &Habits) -> Vec<Line<'a>> {
    if !sent.carries_words() {
        return classify_once(text, sent, habits);
    }
    // The words of others that were carried to the writer do not matter above the first sign of a
    // quotation: all lines there are the writer's own.
    let mut lines = classify_once(text, &sent.without_carried(), habits);
    let Some(sign) = (0..lines.len()).find(|at| is_sign(&lines, *at, habits)) else {
        return lines;
    };
    let known = classify_once(text, sent, habits);
    let has_mark: Vec<bool> = known.iter().map(|line| line.column > 1).collect();
    // Directly between marks it may be the end of a wrapped line.
    let is_between = |at: usize| has_mark[at - 1] && has_mark.get(at + 1) == Some(&true);
    for (at, known) in known.into_iter().enumerate().skip(sign) {
        // A writer who was asked about a line and writes it again means it.
        let line = &mut lines[at];
        let is_asked = line.author == Author::Own && sent.has_asked(line);
        if !is_asked || at > 0 && is_between(at) {
            *line = known;
        }
    }
    lines
}

/// Returns true if a line shows that somebody else's words may follow from there on.
fn is_sign(lines: &[Line<'_>], at: usize, habits: &Habits) -> bool {
    let line = &lines[at];
    let is_theirs = match line.author {
        Author::Own | Author::Signature | Author::Boilerplate => false,
        Author::Quoted(_) | Author::Carried | Author::Unclear | Author::Program => true,
    };
    is_theirs
        || line.is_doubtful
        || quotation::is_rule(lines, at)
        || attribution::says_who_wrote(line)
        || header_block::opens(line.text)
        || (habits.foot)(lines, at).is_some()
}

/// Classifies the lines by everything that was sent.
fn classify_once<'a>(text: &'a str, sent: &Sent, habits: &Habits) -> Vec<Line<'a>> {
    let mut lines = line::split(text);
    // All lines start as the writer's own, and each pass works on what the earlier ones have
    // left. First those that read quote marks.
    let marked = &mut lines[..];
    // First, because all others look at the text after the marks.
    quotation::mark_quote_marks(marked, habits);
    // Looks only at lines without known marks.
    quotation::mark_strange(marked);
    // Needs the marked lines around a wrapped end.
    wrapped_line::mark(marked);
    // Reads a tab or blanks only where there are no marks.
    quotation::mark_indented(marked);
    // A tag may follow quote marks, and hide a row or a signature's mark.
    boilerplate::mark_forum_tags(marked, habits);
    // Undoes `- -- ` before signatures are looked for.
    boilerplate::mark_pgp(marked);
    // Compares the depths of quoting.
    sent::mark_carried(marked, habits);

    sent::mark_sent(&mut lines, sent, habits);

    // Those that read unmarked text run below the marks and know what was sent, so that
    // nothing in carried words opens or ends a quotation.
    let unmarked = &mut lines[..];
    // Before unmarked quotations, which may stand below a signature.
    boilerplate::mark_signature(unmarked);
    // Takes the rest of the text, so it runs after all passes that bound it.
    quotation::mark_unmarked_quote(unmarked, habits);
    // Sees only the writer's own lines.
    boilerplate::mark(unmarked);
    // Last, because most rules belong to what the others know.
    quotation::mark_rules(unmarked, habits);

    sent::mark_rows(&mut lines, sent, habits);
    // Last, so that a doubtful line may open a quotation, and makes nothing the writer's.
    line::mark_doubtful(&mut lines);
    lines
}

/// Returns the writer's own words, of the classified lines of a text: what is quoted or
/// carried is left out with the lines that say who wrote it, and so are signatures, what
/// mailing lists and companies add, and lines of which it is unknown who wrote them
/// (to ask about these, see [`Author::may_be_own`]). Each line
/// ends with `\n`; blank ones stand between paragraphs alone.
///
/// # Examples
///
/// ```
/// use parapost_mail::quoting::classify;
/// use parapost_mail::quoting::habits::Habits;
/// use parapost_mail::quoting::own_words;
/// use parapost_mail::quoting::sent::Sent;
///
/// let reply = "No.\n\nBen wrote on 20.11.2026:\n> Shall we?\n\nBut thanks!\n-- \nAnna\n";
/// let lines = classify(reply, &Sent::nothing(), &Habits::NONE);
/// assert_eq!(own_words(&lines), "No.\n\nBut thanks!\n");
/// ```
#[must_use]
pub fn own_words(lines: &[Line<'_>]) -> String {
    let is_own = |line: &Line<'_>| line.author == Author::Own;
    let mut words = String::new();
    let mut rest = lines;
    while !rest.is_empty() {
        let own = rest.iter().take_while(|line| is_own(line)).count();
        let (block, behind) = rest.split_at(own);
        let last = block.iter().rposition(|line| !line.is_blank());
        let mut block = &block[..last.map_or(0, |last| last + 1)];
        let is_quotation = |line: &Line<'_>| {
            let author = line.author;
            author.is_read() && !author.may_be_own()
        };
        if behind.first().is_some_and(is_quotation) {
            block = &block[..block.len() - attribution::lines_at_end(block)];
        }
        let block = block.iter().skip_while(|line| line.is_blank());
        let mut is_first = true;
        for line in block.map(|line| line.text.trim_end()) {
            let is_apart = words.is_empty() || words.ends_with("\n\n");
            if std::mem::take(&mut is_first) && !is_apart {
                words.push('\n');
            }
            if !(line.is_empty() && is_apart) {
                words.push_str(line);
                words.push('\n');
            }
        }
        let other = behind.iter().take_while(|line| !is_own(line)).count();
        rest = &behind[other..];
    }
    let end = words.trim_end().len();
    words.truncate(end);
    if !words.is_empty() {
        words.push('\n');
    }
    words
}

/// Returns the name of everything that is looked for, with samples of it, in the order of
/// the names: a pass has the name behind `mark_` in that of its function, or the name of its
/// file.
#[must_use]
pub fn tokens(habits: &Habits) -> Vec<(&'static str, Vec<String>)> {
    let owned = |samples: &[&str]| samples.iter().map(|sample| (*sample).to_owned()).collect();
    let mut all = vec![
        ("attribution", owned(attribution::TOKENS)),
        ("boilerplate", boilerplate::tokens()),
        ("carried", owned(sent::CARRIED_TOKENS)),
        ("doubtful", line::tokens()),
        ("enclosed", owned(enclosed::TOKENS)),
        ("forum_tags", boilerplate::forum_tag_tokens(habits)),
        ("header_block", header_block::tokens()),
        ("indented", owned(quotation::INDENTED_TOKENS)),
        ("pgp", owned(boilerplate::PGP_TOKENS)),
        ("quote_marks", owned(quotation::MARK_TOKENS)),
        ("rules", quotation::rule_tokens()),
        ("separator", owned(header_block::SEPARATOR_TOKENS)),
        ("signature", boilerplate::signature_tokens()),
        ("strange", quotation::strange_tokens()),
        ("structure", header_block::structure_tokens(habits)),
        ("thread", owned(thread::TOKENS)),
        ("unmarked_quote", owned(quotation::UNMARKED_TOKENS)),
        ("wrapped_line", owned(wrapped_line::TOKENS)),
    ];
    all.extend((habits.samples)());
    all.sort_by_key(|(name, _)| *name);
    all
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// A new pass is a new habit of the adversary.
    #[test]
    fn every_pass_gives_its_tokens() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("quoting");
        let mut passes = 0;
        for file in fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            let source = fs::read_to_string(&path).unwrap();
            let stem = path.file_stem().unwrap().to_str().unwrap();
            for start in source.split("\npub(super) fn mark").skip(1) {
                // One with more arguments is no pass of its own.
                let (name, rest) = start.split_once("(lines: &mut [Line<'_>]").unwrap();
                if !rest.starts_with(')') && !rest.starts_with(", habits: &Habits)") {
                    continue;
                }
                passes += 1;
                let name = name.strip_prefix('_').unwrap_or(stem);
                let all = tokens(&Habits::NONE);
                assert!(all.iter().any(|(known, _)| *known == name), "{name}");
            }
        }
        assert!(passes > 9, "{passes}");
    }
}
