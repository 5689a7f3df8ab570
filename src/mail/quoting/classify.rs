//! Tells whose words each line of a text is, for every command that reads a text; and samples
//! of everything that the passes react to, for tests that play the part of an adversary.

use crate::quoting::habits::Habits;
use crate::quoting::line::{self, Line};
use crate::quoting::sent::{self, Sent};
use crate::quoting::{
    attribution, boilerplate, forum_tags, header_block, pgp, quote_marks, thread, unmarked_quote,
    wrapped_line,
};

/// Splits a text into lines and tells whose words each is.
///
/// Lines end with LF, CR LF or CR. `sent` holds what was sent to the writer before, and
/// `habits` what the mails of the program look like that has sent it. The cost is linear in
/// the length of the text.
///
/// # Examples
///
/// ```
/// use parapost_mail::quoting::classify::classify;
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
    let mut lines = line::split(text);
    // All lines start as the writer's own, and each pass works on what the earlier ones have
    // left. First those that read quote marks.
    let marked = &mut lines[..];
    // First, because all others look at the text after the marks.
    quote_marks::mark(marked, habits);
    // Looks only at lines without known marks.
    quote_marks::mark_strange(marked);
    // Needs the marked lines around a wrapped end.
    wrapped_line::mark(marked);
    // Reads a tab or blanks only where there are no marks.
    quote_marks::mark_indented(marked);
    // A tag may follow quote marks, and hide a row or a signature's mark.
    forum_tags::mark(marked, habits);
    // Undoes `- -- ` before signatures are looked for.
    pgp::mark(marked);
    // Compares the depths of quoting.
    sent::mark_carried(marked, habits);

    sent::mark_sent(&mut lines, sent, habits);

    // Those that read unmarked text run below the marks and know what was sent, so that
    // nothing in carried words opens or ends a quotation.
    let unmarked = &mut lines[..];
    // Before unmarked quotations, which may stand below a signature.
    boilerplate::mark_signature(unmarked);
    // Takes the rest of the text, so it runs after all passes that bound it.
    unmarked_quote::mark(unmarked, habits);
    // Sees only the writer's own lines.
    boilerplate::mark(unmarked);
    // Last, because most rules belong to what the others know.
    unmarked_quote::mark_rules(unmarked, habits);

    sent::mark_rows(&mut lines, sent, habits);
    // Last, so that a doubtful line may open a quotation, and makes nothing the writer's.
    line::mark_doubtful(&mut lines);
    lines
}

/// Makes samples of what is looked for.
type Samples = fn(&Habits) -> Vec<String>;

/// Everything that is looked for: a pass has the name of its function behind `mark_`, or of
/// its file.
const ALL: [(&str, Samples); 17] = [
    ("attribution", |_| attribution::tokens()),
    ("boilerplate", |_| boilerplate::tokens()),
    ("carried", |_| sent::carried_tokens()),
    ("doubtful", |_| line::tokens()),
    ("forum_tags", forum_tags::tokens),
    ("header_block", |_| header_block::tokens()),
    ("indented", |_| quote_marks::indented_tokens()),
    ("pgp", |_| pgp::tokens()),
    ("quote_marks", |_| quote_marks::tokens()),
    ("rules", |_| unmarked_quote::rule_tokens()),
    ("separator", |_| header_block::separator_tokens()),
    ("signature", |_| boilerplate::signature_tokens()),
    ("strange", |_| quote_marks::strange_tokens()),
    ("structure", header_block::structure_tokens),
    ("thread", |_| thread::tokens()),
    ("unmarked_quote", |_| unmarked_quote::tokens()),
    ("wrapped_line", |_| wrapped_line::tokens()),
];

/// Returns the name of everything that is looked for, with samples of it, in the order of
/// the names.
#[must_use]
pub fn tokens(habits: &Habits) -> Vec<(&'static str, Vec<String>)> {
    let passes = ALL.iter().map(|(name, tokens)| (*name, tokens(habits)));
    let mut all: Vec<_> = passes.chain((habits.samples)()).collect();
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
                assert!(ALL.iter().any(|(known, _)| *known == name), "{name}");
            }
        }
        assert!(passes > 9, "{passes}");
    }
}
