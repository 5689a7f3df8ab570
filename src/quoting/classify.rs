//! Tells whose words each line of a text is, for every command that reads a text.

use crate::quoting::line::{self, Line};
use crate::quoting::sent::Sent;
use crate::quoting::{
    boilerplate, carried_quote, doubt, forum_tags, indentation, pgp, quote_marks, rule, sent_words,
    signature, strange_marks, unmarked_quote, wrapped_line,
};

/// The passes that read quote marks, in their order. All lines start as the writer's
/// own; each pass works on what the earlier ones have left.
const MARKS: [fn(&mut [Line<'_>]); 7] = [
    // First, because all others look at the text after the marks.
    quote_marks::mark,
    // Looks only at lines without known marks.
    strange_marks::mark,
    // Needs the marked lines around a wrapped end.
    wrapped_line::mark,
    // Reads a tab or blanks only where there are no marks.
    indentation::mark,
    // A tag may follow quote marks, and hide a row or a signature's mark.
    forum_tags::mark,
    // Undoes `- -- ` before signatures are looked for.
    pgp::mark,
    // Compares the depths of quoting.
    carried_quote::mark,
];

/// The passes that read unmarked text, in their order. They run below the marks and
/// know what was sent, so that nothing in carried words opens or ends a quotation.
const PARTS: [fn(&mut [Line<'_>]); 4] = [
    // Before unmarked quotations, which may stand below a signature.
    signature::mark,
    // Takes the rest of the text, so it runs after all passes that bound it.
    unmarked_quote::mark,
    // Sees only the writer's own lines.
    boilerplate::mark,
    // Last, because most rules belong to what the others know.
    rule::mark,
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
    sent_words::mark(&mut lines, sent);
    for pass in PARTS {
        pass(&mut lines);
    }
    sent_words::mark_rows(&mut lines, sent);
    // Last, so that a doubtful line may open a quotation, and makes nothing the writer's.
    doubt::mark(&mut lines);
    lines
}

/// Classifies a text that a user gives to a command, with nothing known to have been
/// sent.
#[must_use]
pub fn pasted(text: &str) -> Vec<Line<'_>> {
    classify(text, &Sent::nothing())
}
