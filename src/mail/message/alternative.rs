//! The text of a letter beside its HTML, which say the same in two ways.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::quoting::habits::HtmlHabits;
use crate::quoting::line;

/// Joins the lines of a text that stand on one line in the HTML of the same words: those of which the
/// last word of one and the first word of the next stand beside each other there. Blank lines between
/// them go. Quoted lines, and what is below a signature, stay as they are.
pub(super) fn joined(text: &str, html: &str) -> String {
    let signs = |word: &str| -> String { word.chars().filter(|c| c.is_alphanumeric()).collect() };
    let words = |line: &str| -> Vec<String> {
        let words = line.split_whitespace().map(signs);
        words.filter(|word| !word.is_empty()).collect()
    };
    let mut beside: HashSet<(String, String)> = HashSet::new();
    for line in html.lines().filter(|line| !line.starts_with('>')) {
        let words = words(line);
        beside.extend(words.iter().cloned().zip(words.iter().skip(1).cloned()));
    }
    let mut out = String::with_capacity(text.len());
    let mut last: Option<String> = None;
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next_if(|line| line.trim_end() != "--") {
        if line.trim().is_empty() {
            out.push_str(line);
            continue;
        }
        let mut own = if line.starts_with('>') {
            Vec::new()
        } else {
            words(line)
        };
        let pair = last.take().zip(own.first().cloned());
        if pair.is_some_and(|pair| beside.contains(&pair)) && out.ends_with('\n') {
            out.truncate(out.trim_end().len());
            out.push(' ');
        }
        last = own.pop();
        out.push_str(line);
    }
    lines.for_each(|line| out.push_str(line));
    out
}

/// Doubts each order in a text that the HTML has not, or only in a quotation, though it has the lines
/// around the order. The writer has struck it out, or quotes it.
pub(super) fn without_struck(text: &str, html: &str, habits: &HtmlHabits) -> String {
    let signs = |line: &str| -> String { line.chars().filter(|c| c.is_alphanumeric()).collect() };
    let (quoted, own): (Vec<&str>, Vec<&str>) =
        html.lines().partition(|line| line.starts_with('>'));
    let [quoted, own] =
        [quoted, own].map(|lines| lines.into_iter().map(signs).collect::<HashSet<_>>());
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let words = (0..lines.len()).filter(|at| !signs(lines[*at]).is_empty());
    let words: Vec<usize> = words.collect();
    // True as long as the HTML has none of the lines above.
    let mut is_top = true;
    let mut is_struck = vec![false; lines.len()];
    for (i, at) in words.iter().enumerate() {
        let line = lines[*at];
        let is_in = |set: &HashSet<String>, i: usize| {
            words
                .get(i)
                .is_none_or(|at| set.contains(&signs(lines[*at])))
        };
        is_top &= i == 0 || !is_in(&own, i - 1);
        let is_above = is_top || is_in(&own, i - 1);
        let is_below = || is_in(&own, i + 1) || is_in(&quoted, i + 1);
        is_struck[*at] = !line.starts_with('>')
            && (habits.is_order)(line)
            && !is_in(&own, i)
            && is_above
            && is_below();
    }
    let marked = lines.iter().zip(is_struck).map(|(line, is_struck)| {
        if is_struck {
            Cow::Owned(line::doubted(line))
        } else {
            Cow::Borrowed(*line)
        }
    });
    marked.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_html_has_as_one_are_joined() {
        let html = "Hello Ben,\n\nnobody should ever resign.\nn>g5\nYours\n\n> never resign\n";
        for (text, expected) in [
            (
                "Hello Ben,\n\nnobody should ever\nresign.\nn>g5\nYours\n",
                "Hello Ben,\n\nnobody should ever resign.\nn>g5\nYours\n",
            ),
            // The text may have its own signs and other words.
            (
                "nobody *should* ever\nresign.\n",
                "nobody *should* ever resign.\n",
            ),
            // The quotations of the HTML and of the text are ignored.
            ("never\nresign\n", "never\nresign\n"),
            ("Hello\n> ever\n> resign\n", "Hello\n> ever\n> resign\n"),
        ] {
            assert_eq!(joined(text, html), expected, "{text:?}");
        }
    }

    #[test]
    fn an_order_that_html_has_struck_out_or_quotes_is_doubtful() {
        for (text, html, is_doubtful) in [
            ("order 7\nAnna\n", "Anna\n", true),
            ("Hello\n\norder 7\n", "Hello\n", true),
            (
                "order 7\n\nBen wrote:\n> Hi\n",
                "> order 7\n\nBen wrote:\n> Hi\n",
                true,
            ),
            ("order 7\nAnna\n", "order 7\nAnna\n", false),
            ("*order* 7\nAnna\n", "order 7\u{fdd1}\nAnna\n", false),
            (
                "Well:\norder 7\n\nBen wrote:\n> Hi\n",
                "> Well:\n> order 7\n\nBen wrote:\n> Hi\n",
                true,
            ),
            // The HTML has not what stands around it, either.
            ("order 7\nwords of a table\n", "Anna\n", false),
            ("> order 7\nAnna\n", "Anna\n", false),
            ("words 7\nAnna\n", "Anna\n", false),
        ] {
            let habits = HtmlHabits {
                is_order: |line| line.contains("order"),
                ..HtmlHabits::NONE
            };
            let read = without_struck(text, html, &habits);
            assert_eq!(read.contains(line::DOUBT), is_doubtful, "{text}: {read:?}");
        }
    }
}
