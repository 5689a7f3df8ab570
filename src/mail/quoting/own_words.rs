//! The words of a reply that its writer has written.

use crate::quoting::attribution;
use crate::quoting::line::{Author, Line};

/// Returns the writer's own words, of the classified lines of a text: what is quoted or
/// carried is left out with the lines that say who wrote it, and so are signatures, what
/// mailing lists and companies add, and lines of which it is unknown who wrote them
/// (to ask about these, see [`Author::may_be_own`]). Each line
/// ends with `\n`; blank ones stand between paragraphs alone.
///
/// # Examples
///
/// ```
/// use parapost_mail::quoting::classify::classify;
/// use parapost_mail::quoting::habits::Habits;
/// use parapost_mail::quoting::own_words::own_words;
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
