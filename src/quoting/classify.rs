//! Tells whose words each line of a text is, for every command that reads a text; and samples
//! of everything that the passes react to, for tests that play the part of an adversary.

use crate::quoting::line::{self, Line};
use crate::quoting::sent::{self, Sent};
use crate::quoting::{
    attribution, boilerplate, forum_tags, header_block, id_line, pgp, quote_marks, thread,
    unmarked_quote, wrapped_line,
};

/// The passes that read quote marks, in their order. All lines start as the writer's
/// own; each pass works on what the earlier ones have left.
const MARKS: [fn(&mut [Line<'_>]); 7] = [
    // First, because all others look at the text after the marks.
    quote_marks::mark,
    // Looks only at lines without known marks.
    quote_marks::mark_strange,
    // Needs the marked lines around a wrapped end.
    wrapped_line::mark,
    // Reads a tab or blanks only where there are no marks.
    quote_marks::mark_indented,
    // A tag may follow quote marks, and hide a row or a signature's mark.
    forum_tags::mark,
    // Undoes `- -- ` before signatures are looked for.
    pgp::mark,
    // Compares the depths of quoting.
    sent::mark_carried,
];

/// The passes that read unmarked text, in their order. They run below the marks and
/// know what was sent, so that nothing in carried words opens or ends a quotation.
const PARTS: [fn(&mut [Line<'_>]); 4] = [
    // Before unmarked quotations, which may stand below a signature.
    boilerplate::mark_signature,
    // Takes the rest of the text, so it runs after all passes that bound it.
    unmarked_quote::mark,
    // Sees only the writer's own lines.
    boilerplate::mark,
    // Last, because most rules belong to what the others know.
    unmarked_quote::mark_rules,
];

/// Splits a text into lines and tells whose words each is.
///
/// Lines end with LF, CR LF or CR. `sent` holds what was sent to the writer before; the
/// same text with the same `sent` has the same authors in every command. The cost is
/// linear in the length of the text.
///
/// # Examples
///
/// ```
/// use parapost::quoting::classify::classify;
/// use parapost::quoting::line::Author;
/// use parapost::quoting::sent::Sent;
///
/// let text = "n>g5\n\nAnna wrote:\n> 1. P>e3\n-- \nBen\n";
/// let lines = classify(text, &Sent::nothing());
/// assert_eq!(lines[0].author, Author::Own);
/// assert_eq!((lines[3].author, lines[3].text), (Author::Quoted(1), " 1. P>e3"));
/// assert_eq!(lines[5].author, Author::Signature);
/// ```
#[must_use]
pub fn classify<'a>(text: &'a str, sent: &Sent) -> Vec<Line<'a>> {
    let mut lines = line::split(text);
    for pass in MARKS {
        pass(&mut lines);
    }
    sent::mark_sent(&mut lines, sent);
    for pass in PARTS {
        pass(&mut lines);
    }
    sent::mark_rows(&mut lines, sent);
    // Last, so that a doubtful line may open a quotation, and makes nothing the writer's.
    line::mark(&mut lines);
    lines
}

/// Classifies a text that a user gives to a command, with nothing known to have been
/// sent.
#[must_use]
pub fn pasted(text: &str) -> Vec<Line<'_>> {
    classify(text, &Sent::nothing())
}

/// Makes samples of what is looked for.
type Samples = fn() -> Vec<String>;

/// Everything that is looked for: a pass has the name of its function behind `mark_`, or of
/// its file.
const ALL: [(&str, Samples); 19] = [
    ("attribution", attribution::tokens),
    ("boilerplate", boilerplate::tokens),
    ("carried", sent::carried_tokens),
    ("line", line::tokens),
    ("forum_tags", forum_tags::tokens),
    ("header_block", header_block::tokens),
    ("id_line", id_line::tokens),
    ("indented", quote_marks::indented_tokens),
    ("pgp", pgp::tokens),
    ("quote_marks", quote_marks::tokens),
    ("rules", unmarked_quote::rule_tokens),
    ("sent", sent::sent_tokens),
    ("separator", header_block::separator_tokens),
    ("signature", boilerplate::signature_tokens),
    ("strange", quote_marks::strange_tokens),
    ("structure", header_block::structure_tokens),
    ("thread", thread::tokens),
    ("unmarked_quote", unmarked_quote::tokens),
    ("wrapped_line", wrapped_line::tokens),
];

/// Returns the name of everything that is looked for, with samples of it.
#[must_use]
pub fn tokens() -> Vec<(&'static str, Vec<String>)> {
    ALL.iter().map(|(name, tokens)| (*name, tokens())).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// A new pass is a new habit of the adversary.
    #[test]
    fn every_pass_gives_its_tokens() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/quoting");
        let mut passes = 0;
        for file in fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            let source = fs::read_to_string(&path).unwrap();
            let stem = path.file_stem().unwrap().to_str().unwrap();
            for start in source.split("\npub(super) fn mark").skip(1) {
                // One with more arguments is no pass of its own.
                let Some((name, _)) = start.split_once("(lines: &mut [Line<'_>])") else {
                    continue;
                };
                passes += 1;
                let name = name.strip_prefix('_').unwrap_or(stem);
                assert!(ALL.iter().any(|(known, _)| *known == name), "{name}");
            }
        }
        assert!(passes > 9, "{passes}");
    }
}
