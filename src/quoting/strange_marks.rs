//! Quote marks that no program known here uses: the same sign before each of several
//! lines of words.

use crate::quoting::line::{Author, Line, is_blank};

/// The signs that may mark quotations. None of them is a square of a diagram or begins
/// a rule.
const SIGNS: &str = "│┃▌▏¦»›}]%§†‡•·※◦^*";

/// The least number of lines of words with the same sign that count as a quotation. A
/// list of the writer's is shorter.
const ENOUGH: usize = 4;

/// Returns samples of what this pass reacts to.
pub(super) fn tokens() -> Vec<String> {
    SIGNS.chars().map(|sign| format!("{sign} ")).collect()
}

/// Cuts the marks off the lines and marks these as quoted.
pub(super) fn mark(lines: &mut [Line<'_>]) {
    let mut start = 0;
    while start < lines.len() {
        let Some(sign) = sign(&lines[start]) else {
            start += 1;
            continue;
        };
        let is_inside = |line: &&Line<'_>| line.is_blank() || self::sign(line) == Some(sign);
        let end = start + lines[start..].iter().take_while(is_inside).count();
        let words = lines[start..end].iter().filter(|line| has_words(line));
        if words.count() >= ENOUGH {
            let marked = lines[start..end].iter_mut().filter(|line| !line.is_blank());
            for line in marked {
                let mark = line.text.len() - line.text.trim_start().len() + sign.len_utf8();
                line.cut(mark, Author::Quoted(1));
            }
        }
        start = end;
    }
}

/// Returns the sign that an own line begins with, before a blank or alone.
fn sign(line: &Line<'_>) -> Option<char> {
    let mut chars = line.text.trim_start().chars();
    let sign = chars.next().filter(|c| SIGNS.contains(*c))?;
    let is_apart = chars.next().is_none_or(is_blank);
    (line.author == Author::Own && is_apart).then_some(sign)
}

/// Returns true if the line has words, not only the squares of a board.
fn has_words(line: &Line<'_>) -> bool {
    let words = line.text.split_whitespace();
    words.filter(|word| word.chars().count() > 2).count() > 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quoting::line::split;

    fn quoted(text: &str) -> usize {
        let mut lines = split(text);
        mark(&mut lines);
        lines
            .iter()
            .filter(|line| line.author == Author::Quoted(1))
            .count()
    }

    #[test]
    fn the_same_sign_before_several_lines_is_a_quote_mark() {
        let text = "│ Anna has played\n│\n│ It is your move\n│ one two three four\n│ Game demo made\nn>g5\n";
        assert_eq!(quoted(text), 5);
        assert_eq!(quoted(&text.replace('\n', "\n\n")), 5);
    }

    #[test]
    fn a_short_list_and_a_board_are_the_writer_s() {
        assert_eq!(quoted("* first thing here\n* second thing here\n"), 0);
        assert_eq!(quoted(&"* r * * n * * *\n".repeat(8)), 0);
    }
}
