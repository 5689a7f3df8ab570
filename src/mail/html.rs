//! HTML as the text its reader sees: line ends and preformatted text are kept,
//! block quotes become lines with `> ` before them, as mail has them.
//!
//! What cannot be seen is not said, nor what is struck out: hidden elements,
//! images and withdrawn words come to nothing.

use std::borrow::Cow;
use std::sync::LazyLock;

use html2text::config;
use html2text::render::TextDecorator;
use regex::Regex;

/// The most bytes that are read: what is longer is a newsletter, or an attack.
const MOST: usize = 1 << 20;

/// How deep elements may lie in each other. Mail programs that quote by nested
/// tables stay far below.
const DEEPEST: usize = 200;

/// How long a line may get before it is broken. A person's line ends where the
/// sender ended it.
const WIDTH: usize = 4000;

/// Elements that need no end tag, or have none: they don't nest by themselves.
const FLAT: &[&str] = &[
    "area", "base", "br", "col", "colgroup", "dd", "dt", "hr", "img", "input", "li", "link",
    "meta", "option", "p", "source", "tbody", "td", "tfoot", "th", "thead", "tr", "wbr",
];

/// What is not shown, is no text where it is, or is struck out.
const HIDDEN: &str = "hr, title, select, button, textarea, s, strike, del { display: none }";

/// The text of an HTML document; none if it is too long or too deep to read.
#[must_use]
pub(super) fn text(html: &str) -> Option<String> {
    if html.len() > MOST || depth(html) > DEEPEST {
        return None;
    }
    let config = config::with_decorator(Plain)
        .use_doc_css()
        .add_agent_css(HIDDEN)
        .ok()?;
    let text = config
        .no_table_borders()
        .no_link_wrapping()
        .unicode_strikeout(false)
        .allow_width_overflow()
        .string_from_read(without_strokes(&without_styles(html)).as_bytes(), WIDTH)
        .ok()?;
    // A table's cells are padded, a quoted empty line has its mark's blank.
    let lines = text.lines().map(|line| line.trim_end_matches(' '));
    Some(lines.fold(String::new(), |text, line| text + line + "\n"))
}

/// How many elements are open at once, at most; a bound, not the tree itself.
fn depth(html: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for tag in html.split('<').skip(1) {
        let (is_end, tag) = match tag.strip_prefix('/') {
            Some(tag) => (true, tag),
            None => (false, tag),
        };
        let length = tag.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let name = tag[..length].to_ascii_lowercase();
        if name.is_empty() || FLAT.contains(&name.as_str()) {
            continue;
        }
        depth = if is_end {
            depth.saturating_sub(1)
        } else {
            depth + 1
        };
        deepest = deepest.max(depth);
    }
    deepest
}

/// The document without its style sheets, which a mail doesn't need to be read;
/// the styles of single elements stay.
fn without_styles(html: &str) -> String {
    let lower = html.to_ascii_lowercase();
    let mut kept = String::with_capacity(html.len());
    let mut at = 0;
    while let Some(start) = lower[at..].find("<style") {
        kept.push_str(&html[at..at + start]);
        let from = at + start;
        match lower[from..].find("</style") {
            Some(end) => at = from + end + "</style".len(),
            None => return kept,
        }
        at += lower[at..]
            .find('>')
            .map_or(lower.len() - at, |end| end + 1);
    }
    kept + &html[at..]
}

/// The document with what a style strikes out hidden.
fn without_strokes(html: &str) -> Cow<'_, str> {
    static STROKE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"(?i)text-decoration(?:-line)?\s*:[^;"'<>]*line-through"#)
            .expect("the pattern is well-formed")
    });
    STROKE.replace_all(html, "display:none")
}

/// Text without ornaments.
#[derive(Clone, Debug)]
struct Plain;

/// Nothing before, nothing behind.
fn bare() -> (String, ()) {
    (String::new(), ())
}

impl TextDecorator for Plain {
    type Annotation = ();

    fn decorate_link_start(&mut self, _url: &str) -> (String, ()) {
        bare()
    }

    fn decorate_link_end(&mut self) -> String {
        String::new()
    }

    fn decorate_em_start(&self) -> (String, ()) {
        bare()
    }

    fn decorate_em_end(&self) -> String {
        String::new()
    }

    fn decorate_strong_start(&self) -> (String, ()) {
        bare()
    }

    fn decorate_strong_end(&self) -> String {
        String::new()
    }

    fn decorate_strikeout_start(&self) -> (String, ()) {
        bare()
    }

    fn decorate_strikeout_end(&self) -> String {
        String::new()
    }

    fn decorate_code_start(&self) -> (String, ()) {
        bare()
    }

    fn decorate_code_end(&self) -> String {
        String::new()
    }

    fn decorate_preformat_first(&self) {}

    fn decorate_preformat_cont(&self) {}

    fn decorate_image(&mut self, _src: &str, _title: &str) -> (String, ()) {
        bare()
    }

    fn header_prefix(&self, _level: usize) -> String {
        String::new()
    }

    fn quote_prefix(&self) -> String {
        "> ".to_owned()
    }

    fn unordered_item_prefix(&self) -> String {
        "* ".to_owned()
    }

    fn ordered_item_prefix(&self, i: i64) -> String {
        format!("{i}. ")
    }

    fn make_subblock_decorator(&self) -> Plain {
        Plain
    }
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn the_text_is_what_its_reader_sees() {
        for (html, expected) in [
            ("n&gt;g5", "n>g5"),
            ("<p>Hello<br>n&gt;g5</p>", "Hello\nn>g5"),
            ("<div>a</div><div>b</div>", "a\nb"),
            (
                "n&gt;g5<blockquote>old<br>1.&nbsp; P&gt;e3<blockquote>older</blockquote></blockquote>",
                "n>g5\n\n> old\n> 1.\u{a0} P>e3\n>\n> > older",
            ),
            ("<pre>- - -   -\na  b</pre>", "- - -   -\na  b"),
            (
                "<div style='white-space: pre-wrap'>a   b\nc</div>",
                "a   b\nc",
            ),
            ("<b>From:</b> <i>Anna</i> <a href='x'>y</a>", "From: Anna y"),
            (
                "<table><tr><td>1.</td><td>P&gt;e3</td><td>n&gt;g5</td></tr></table>",
                "1. P>e3 n>g5",
            ),
            ("<ol><li>... n&gt;g5</li></ol>", "1. ... n>g5"),
            ("<h1>n&gt;g5</h1><hr>x", "n>g5\n\nx"),
        ] {
            assert_eq!(text(html).unwrap().trim_end(), expected, "{html}");
        }
    }

    #[test]
    fn what_is_not_seen_is_not_said() {
        for html in [
            "<title>n&gt;g5</title>",
            "<style>n>g5</style>",
            "<STYLE type=x>n>g5</STYLE >",
            "<style>n>g5",
            "<script>n>g5</script>",
            "<!-- n>g5 -->",
            "<!--[if mso]>n>g5<![endif]-->",
            "<img alt='n&gt;g5' title='n&gt;g5' src=x>",
            "<div style='display:none'>n&gt;g5</div>",
            "<s>n&gt;g5</s>",
            "<del>n&gt;g5</del>",
            "<strike>n&gt;g5</strike>",
            "<span style='color: red; text-decoration: underline line-through'>n&gt;g5</span>",
            "<div style='display: none !important; max-height:0'>n&gt;g5</div>",
        ] {
            assert_eq!(text(html).as_deref().map(str::trim), Some(""), "{html}");
        }
    }

    #[test]
    fn what_is_too_deep_or_too_long_is_not_read() {
        for tag in ["<div>", "<blockquote>", "<table><tr><td>", "<b>", "<DIV\n>"] {
            assert_eq!(
                text(&format!("{}n&gt;g5", tag.repeat(20_000))),
                None,
                "{tag}"
            );
            assert!(
                text(&format!("{}n&gt;g5", tag.repeat(50))).is_some(),
                "{tag}"
            );
        }
        assert_eq!(text(&"x".repeat(super::MOST + 1)), None);
        // Elements that end by themselves don't nest.
        assert!(text(&"<p>a<br>b".repeat(1000)).is_some());
    }

    #[test]
    fn damaged_html_is_read_as_far_as_it_goes() {
        for html in [
            "",
            "<",
            "<<>>",
            "</",
            "<style",
            "&#x110000;&#0;",
            "<p",
            "\0",
            "<![CDATA[",
        ] {
            let _ = text(html);
        }
    }
}
