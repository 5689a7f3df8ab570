//! `format=flowed` (RFC 3676): joins the lines of paragraphs again.
//!
//! Joins only the sender's own lines. A quoted board or list is read line by line,
//! and blanks that mail programs add or remove there do not matter; a quoted line
//! into which somebody typed a move must stay one line.

/// Joins flowed lines outside quotations; with `delsp` the blank before each break
/// is removed.
#[must_use]
pub(super) fn unflow(text: &str, delsp: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut open = false;
    for line in text.split_inclusive('\n') {
        let (line, end) = line
            .strip_suffix('\n')
            .map_or((line, ""), |line| (line, "\n"));
        if line.starts_with('>') || line == "-- " {
            // A quotation or a signature ends the paragraph.
            if open {
                out.push('\n');
            }
            out.push_str(line);
            out.push_str(end);
            open = false;
            continue;
        }
        // Removes the blank that hides a ">" or "From ", but not before ">", which
        // would look like a quotation.
        let line = match line.strip_prefix(' ') {
            Some(rest) if !rest.starts_with('>') => rest,
            _ => line,
        };
        open = line.ends_with(' ') && end == "\n";
        if open {
            out.push_str(if delsp { &line[..line.len() - 1] } else { line });
        } else {
            out.push_str(line);
            out.push_str(end);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::unflow;

    #[test]
    fn own_paragraphs_are_joined() {
        let text = "1. ... n>g5 and \nthen we'll \nsee.\nBye\n";
        assert_eq!(
            unflow(text, false),
            "1. ... n>g5 and then we'll see.\nBye\n"
        );
    }

    #[test]
    fn delsp_takes_the_blank_away() {
        assert_eq!(unflow("ver- \nylong \nword\n", true), "ver-ylongword\n");
    }

    #[test]
    fn a_quoted_line_is_left_alone() {
        let text = "> 1.  P>e3    n>g5 \n> \nthanks\n";
        assert_eq!(unflow(text, false), text);
    }

    #[test]
    fn a_quotation_ends_an_open_paragraph() {
        assert_eq!(unflow("n>g5 \n> old\n", false), "n>g5 \n> old\n");
    }

    #[test]
    fn the_signature_line_is_no_flowed_line() {
        let text = "n>g5\n-- \nAnna\n";
        assert_eq!(unflow(text, false), text);
    }

    #[test]
    fn stuffing_goes() {
        assert_eq!(unflow(" From here\n", false), "From here\n");
        assert_eq!(unflow(" >g5\n", false), " >g5\n");
    }

    #[test]
    fn the_last_line_need_not_end() {
        assert_eq!(unflow("a \nb ", false), "a b ");
    }
}
