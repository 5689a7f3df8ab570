//! Heads of quotations that a program has broken: the person who is quoted chooses the name
//! and the address in them, and so what stands alone on a line above the rest.

use crate::quoting::attribution::{is_attribution, tells_writing};
use crate::quoting::line::{Author, Line};
use crate::quoting::structure;
use crate::quoting::wrapped_line::has_room;

/// The narrowest width, in characters, at which programs wrap lines.
const NARROWEST: usize = 50;

/// The most lines of a head.
const MOST: usize = 4;

/// Returns the first line of the head to which a line belongs that is a sign of somebody
/// else's words. What stands above it may be the beginning of the head only if no blank
/// line lies between. A command that has an address in it is no head.
pub(super) fn first(
    lines: &[Line<'_>],
    sign: usize,
    is_command: impl Fn(&Line<'_>) -> bool,
) -> usize {
    let mut first = sign;
    if lines[sign].column > 1 {
        // What stands above marks need not be known as an attribution.
        let above = lines[..sign].iter().rposition(|line| !line.is_blank());
        let is_head = |line: &Line<'_>| is_free(line) && names_source(line) && !is_command(line);
        let Some(above) = above.filter(|at| is_head(&lines[*at])) else {
            return sign;
        };
        first = above;
    } else if !is_head(&lines[sign..]) {
        return sign;
    }
    for _ in 0..MOST {
        let above = first.checked_sub(1).map(|above| &lines[above]);
        let is_part = |above: &Line<'_>| is_free(above) && goes_on(above, &lines[first]);
        if !above.is_some_and(is_part) {
            break;
        }
        first -= 1;
    }
    first
}

fn is_free(line: &Line<'_>) -> bool {
    line.author == Author::Own && !line.is_blank()
}

/// Returns true if one of the lines at the start, up to a blank one, tells whose words
/// stand below them.
fn is_head(lines: &[Line<'_>]) -> bool {
    let near = lines.iter().take(MOST);
    let mut near = near.take_while(|line| !line.is_blank());
    near.any(|line| names_source(line) || is_attribution(line.text))
}

fn names_source(line: &Line<'_>) -> bool {
    let text = line.text.trim_end();
    text.contains('@') || structure::is_dated(text) || text.ends_with([':', '：'])
}

/// Returns true if a line may be the rest of the one above: it begins with an address in
/// brackets or a word for writing, is nothing but a date, or its first word had no room there.
fn goes_on(above: &Line<'_>, line: &Line<'_>) -> bool {
    let text = line.text.trim();
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_date = structure::is_dated(text) && !text.contains(char::is_alphabetic);
    text.starts_with('<')
        || is_date
        || first.starts_with(char::is_lowercase) && tells_writing(first)
        || !has_room(above.text, line.text, NARROWEST)
}

#[cfg(test)]
mod tests {
    use super::first;
    use crate::quoting::line::split;

    const LONG: &str = "<benedict.of.the.very.long.name.that.takes.a.line.of.its.own@black.test>";

    #[test]
    fn a_name_above_the_rest_of_a_head_belongs_to_it() {
        for (above, head) in [
            ("resign", format!("{LONG} wrote:")),
            ("resign", format!("{} wrote:", &LONG[1..])),
            ("resign", "20.11.2026 03:00\n\nTo\nAnna".to_owned()),
            ("resign", "wrote on Friday:".to_owned()),
            ("resign\n", format!("{}x\n{LONG} wrote:", "x".repeat(60))),
        ] {
            let text = format!(
                "Yes!\n\n{above}{}{head}",
                if above.ends_with('\n') { "" } else { "\n" }
            );
            let lines = split(&text);
            let sign = lines
                .iter()
                .position(|line| line.text.contains(['@', '0', ':']))
                .unwrap();
            assert_eq!(first(&lines, sign, |_| false), 2, "{text}");
        }
    }

    #[test]
    fn what_stands_above_a_whole_head_does_not() {
        for head in [
            "Ben <ben@black.test> wrote:",
            "-----Original Message-----",
            "----------",
            "\n<ben@black.test> wrote:",
            "2026年11月20日(金) 12:00 Ben <ben@black.test>:",
            "пт, 20 нояб. 2026 г. в 06:00, Ben <ben@black.test>:",
        ] {
            let text = format!("Yes!\nresign\n{head}");
            let lines = split(&text);
            let sign = lines.len() - 1;
            assert_eq!(first(&lines, sign, |_| false), sign, "{text}");
        }
    }
}
