//! Turns HTML into the text that its reader sees. Line ends and preformatted text are
//! kept, block quotes become lines that begin with `> `, as in mail, and a rule becomes a
//! line `---`. A block quote that an editor's button makes is an indentation, and its
//! lines are as any others.
//!
//! Hidden elements, images and struck-out words yield no text, because the reader does
//! not see them or the sender withdrew them. A line with text that a reader may not see,
//! or that somebody else may have written, ends with the mark of doubt.

use std::borrow::Cow;

use html2text::config;

use crate::Pattern;
use crate::limits::{self, Excess};
use crate::message::markup;
use crate::quoting::habits::HtmlHabits;

/// Returns the text of an HTML document, without what the mails of a program with these
/// habits have besides words.
///
/// # Errors
///
/// If the document exceeds a limit.
///
/// # Examples
///
/// ```
/// use parapost_mail::message::html;
/// use parapost_mail::quoting::habits::HtmlHabits;
///
/// let html = "<p>Yes, please.</p><blockquote type=cite>Shall we?</blockquote>";
/// let text = html::text(html, &HtmlHabits::NONE)?;
/// assert_eq!(text, "Yes, please.\n\n> Shall we?\n");
/// # Ok::<(), parapost_mail::limits::Excess>(())
/// ```
pub fn text(html: &str, habits: &HtmlHabits) -> Result<String, Excess> {
    let reduced = markup::reduce(html, habits)?;
    let tangled = |_| Excess::HtmlDepth;
    let text = config::plain_no_decorate()
        .use_doc_css()
        .no_table_borders()
        .no_link_wrapping()
        .allow_width_overflow()
        .string_from_read(
            with_signature_marks(&reduced).as_bytes(),
            limits::HTML_WIDTH,
        )
        .map_err(tangled)?;
    // Table cells are padded, and an empty quoted line ends with its mark's blank.
    let text = text.replace(markup::LESS, "<");
    let lines = text.lines().map(markup::ended);
    Ok(lines.fold(String::new(), |text, line| text + &line + "\n"))
}

/// Keeps the blank of the line `-- `, which HTML would drop at the end of a line.
fn with_signature_marks(html: &str) -> Cow<'_, str> {
    static MARK: Pattern = Pattern::new(r"(--|––|—|–)(?:[ \u{a0}]|&nbsp;|&#160;)+(<|\r?\n)");
    MARK.replace_all(html, "$1\u{a0}$2")
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use fastrand::Rng;

    use crate::limits::{self, Excess};
    use crate::quoting::helpdesk::HTML_HELPDESK;
    use crate::quoting::line::DOUBT;

    fn text(html: &str) -> Result<String, Excess> {
        super::text(html, &HTML_HELPDESK)
    }

    #[test]
    fn the_text_is_what_its_reader_sees() {
        for (html, expected) in [
            ("n&gt;g5", "n>g5"),
            ("<p>Hello<br>n&gt;g5</p>", "Hello\nn>g5"),
            ("<div>a</div><div>b</div>", "a\nb"),
            (
                "n&gt;g5<blockquote type=cite>old<br>1.&nbsp; P&gt;e3<blockquote>older</blockquote></blockquote>",
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
            ("<h1>n&gt;g5</h1><hr>x", "n>g5\n\n---\nx"),
            ("a < b << c <1 </", "a < b << c <1 </"),
            ("<P\"A>n&gt;G5</P\"A>", "n>G5"),
            ("<DIV A=\"'\"B='\"'C=/ D>n&gt;g5</DIV>", "n>g5"),
            ("<p style=x:y style=display:none>n&gt;g5", "n>g5"),
            (
                "<div>x</div><span>-- </span><br>Ben<pre>--&nbsp;\nBen</pre>--<br>",
                "x\n--\u{a0}\nBen\n\n--\u{a0}\nBen\n\n--",
            ),
        ] {
            assert_eq!(text(html).unwrap().trim_end(), expected, "{html}");
        }
    }

    /// `a<hr>b` was read as `ab`: a quoted move replaced one that was stated.
    #[test]
    fn a_rule_is_a_line_of_dashes() {
        for (html, expected) in [
            ("a<hr>b", "a\n---\nb"),
            ("a<HR />b", "a\n---\nb"),
            ("a<br><hr size=1><br>b", "a\n---\n\nb"),
            ("<p>a<hr>b", "a\n\n---\nb"),
            ("<b>a<hr>b</b>", "a\n---\nb"),
            ("a<hr style='display:inline-block;width:98%'>b", "a\n---\nb"),
            ("a<hr style='display:none'>b", "ab"),
            (
                "<blockquote type=cite>a<hr>b</blockquote>",
                "> a\n> ---\n> b",
            ),
        ] {
            assert_eq!(text(html).unwrap().trim_end(), expected, "{html}");
        }
    }

    /// A move in a direct mail of the opponent's, quoted by such a program, was played.
    #[test]
    fn a_named_block_and_one_with_a_line_on_its_left_are_quotations() {
        for html in [
            "No!<blockquote style=\"border-left:2px solid #1010ff;margin-left:5px\">n&gt;g5</blockquote>",
            "No!<blockquote id=\"blockquote_zmail\">n&gt;g5</blockquote>",
            "No!<div name=quote style='margin:10px; Border-Left: 2px SOLID #c3d9e5;'>n&gt;g5</div>",
            "No!<div style='border:none;border-left:solid blue 1.5pt'><p>n&gt;g5</p></div>",
        ] {
            let text = text(html).unwrap();
            assert!(text.contains("> n>g5"), "{html}: {text:?}");
        }
        let own = text("<div style='border-left:none'>n&gt;g5</div>").unwrap();
        assert!(!own.contains("> n>g5"), "{own:?}");
    }

    /// A move in a block quote that a program uses to indent counted as quoted. In any
    /// other, words of the opponent's were played.
    #[test]
    fn a_block_quote_that_an_editor_makes_is_an_indentation() {
        for html in [
            "<div>Hi&#160;Anna</div><blockquote style='margin:0 0 0 40px;border:none;padding:0px'><div>n&gt;g5</div></blockquote>",
            "<blockquote style='margin: 0px 0px 0px 40px; border: none; padding: 0px;'><div>n&gt;g5</div></blockquote>",
            "<blockquote class=\"gmail-webkit-indent-blockquote\"><div>n&gt;g5</div></blockquote>",
        ] {
            let text = text(html).unwrap();
            assert!(
                text.ends_with("\nn>g5\n") || text == "n>g5\n",
                "{html}: {text:?}"
            );
        }
        // Some programs quote so.
        for html in [
            "My move is<blockquote>n&gt;g5</blockquote>",
            "My move:<blockquote style='margin:0'>n&gt;g5</blockquote>",
            "<blockquote><blockquote>n&gt;g5</blockquote></blockquote>",
        ] {
            let text = text(html).unwrap();
            assert!(
                text.ends_with("\nn>g5\u{fdd1}\n") || text == "n>g5\u{fdd1}\n",
                "{html}: {text:?}"
            );
        }
        for html in [
            "<blockquote type=\"cite\">n&gt;g5</blockquote>",
            "<BLOCKQUOTE TYPE=CITE>n&gt;g5</BLOCKQUOTE>",
            "<blockquote cite='mid:1@b.test'>n&gt;g5</blockquote>",
            "<blockquote class=gmail_quote>n&gt;g5</blockquote>",
            "<div class=yahoo_quoted><div><blockquote>n&gt;g5</blockquote></div></div>",
            "Anna wrote:<blockquote>n&gt;g5</blockquote>",
            "<div>Anna &lt;anna@example.org&gt;</div><br><blockquote>n&gt;g5</blockquote>",
            "<p>20 noiembrie 2026, Anna</p><blockquote>n&gt;g5</blockquote>",
            "<blockquote type=cite><blockquote>n&gt;g5</blockquote></blockquote>",
        ] {
            let text = text(html).unwrap();
            assert!(text.ends_with("> n>g5\n"), "{html}: {text:?}");
        }
    }

    /// 512 KiB of `<` took a quarter of a second.
    #[test]
    fn text_that_is_too_long_is_refused_before_it_is_made_plain() {
        let signs = "<".repeat(limits::TEXT + 1);
        assert_eq!(text(&signs), Err(Excess::Text));
        // A line is broken after so many columns as there are.
        let plain = text(&"&lt;".repeat(limits::HTML / 4)).unwrap();
        assert_eq!(plain.lines().next().map(str::len), Some(limits::HTML_WIDTH));
        assert_eq!(plain.replace('\n', ""), signs[..limits::HTML / 4]);
        // Text that is not seen does not count.
        let unseen = format!("<p style='display:none'>{signs}</p><p>n&gt;g5");
        assert_eq!(text(&unseen).as_deref().map(str::trim), Ok("n>g5"));
    }

    #[test]
    fn what_is_not_seen_is_not_said() {
        for html in [
            "<title>n&gt;g5</title>",
            "<style>n>g5</style>",
            "<STYLE type=x>n>g5</STYLE >",
            "<style>n>g5",
            "<style></styl>n>g5</STYLE>",
            "<p a='>n>g5'>",
            "<p a = n>",
            "</p a='>n>g5'>",
            "<p a='>n>g5",
            "<!>",
            "</ n>",
            "<?n>",
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
            assert_eq!(text(html).as_deref().map(str::trim), Ok(""), "{html}");
        }
    }

    /// Links within links are each read once, and a link around a whole letter is none of ours.
    #[test]
    fn a_long_text_in_a_link_stays() {
        let words = "Are you free? ".repeat(1000);
        for target in ["mailto:b@b.test?subject=x", "mailto:b@b.test"] {
            let html = format!("<a href='{target}'><div>{words}</div></a>cancel");
            let text = text(&html).unwrap();
            assert!(
                text.len() > words.len() && text.ends_with("cancel\n"),
                "{target}"
            );
        }
    }

    /// Went wrong: the text of a link of ours was played.
    #[test]
    fn what_our_own_mails_have_is_not_the_writer_s() {
        const LINK: &str = "mailto:ref@example.org?subject=x&amp;body=n%3Eg5";
        for html in [
            "<a href='LINK'>n&gt;g5</a>",
            "<A CLASS=x HREF='LINK'><span>n&gt;g5</span></A>",
            "<a href='LINK'><div>n&gt;g5</div></a>",
            "<p><a href='LINK'>n&gt;g5<a href='LINK'>n&gt;f6</p>",
            "<a href='https://safe.test/1' originalsrc='LINK'>n&gt;g5</a>",
            "<a href='mailto:ref@example.org'>n&gt;g5</a> ",
            "<a href='mailto:ref@example.org'>cancel</a> ",
            "<table class=x_helpdesk><tr><td>n&gt;g5<table><tr><td>n&gt;f6</table></table>",
            "<table summary='helpdesk'><tr><td>n&gt;g5</td></tr></table>",
            "<table><tr><td>n&gt;g5</td><td><a href='LINK'>to g5</a></table>",
            "<table><tr><td>n&gt;g5<td><img alt='Ticket 7 is open.'></table>",
        ] {
            let html = html.replace("LINK", LINK);
            let beside = text(&format!("n&gt;d4{html}n&gt;d5")).unwrap();
            // A line of doubt stands for a table.
            let lines: Vec<&str> = beside.split_whitespace().collect();
            let words = lines.iter().filter(|line| **line != "\u{fdd1}");
            assert!(words.eq(&["n>d4", "n>d5"]), "{html}");
            assert_eq!(lines.len() > 2, html.contains("<table"), "{html}");
        }
        for (html, expected) in [
            // Anybody can make a link that writes an answer, as around a name.
            (
                "<a href='mailto:b@b.test?subject=x'>Ben &lt;b@b.test&gt; wrote:</a>",
                "Ben <b@b.test> wrote:",
            ),
            // A name and an address tell who wrote what stands below.
            (
                "<a href='mailto:anna@b.test'>Anna White</a> &lt;<a href='mailto:anna@b.test'>anna2@b.test</a>&gt;",
                "Anna White <anna2@b.test>",
            ),
            ("<a href='https://b.test/?a=b'>n&gt;g5</a>", "n>g5"),
            (
                "<table><tr><td>n&gt;g5<blockquote type=cite><a href='LINK'>to g5</a></blockquote></table>",
                "n>g5",
            ),
            ("<table><tr><td>n&gt;g5<img alt='Ben'></table>", "n>g5"),
        ] {
            let text = text(&html.replace("LINK", LINK)).unwrap();
            assert_eq!(text.trim(), expected, "{html}");
        }
    }

    #[test]
    fn what_is_too_deep_or_too_long_is_not_read() {
        for tag in ["<div>", "<blockquote>", "<table><tr><td>", "<b>", "<DIV\n>"] {
            assert_eq!(
                text(&format!("{}n&gt;g5", tag.repeat(20_000))),
                Err(Excess::HtmlDepth),
                "{tag}"
            );
            assert!(text(&format!("{}n&gt;g5", tag.repeat(50))).is_ok(), "{tag}");
        }
        assert_eq!(text(&"x".repeat(limits::HTML + 1)), Err(Excess::Html));
        // Elements without an end tag don't nest.
        assert!(text(&"<p>a<br>b".repeat(1000)).is_ok());
    }

    #[test]
    fn any_number_of_pictures_is_read() {
        let pictures = "<img src=x>".repeat(limits::HTML_DEPTH + 1);
        let read = text(&format!("{pictures}n&gt;g5"));
        assert_eq!(read.as_deref().map(str::trim), Ok("n>g5"));
    }

    #[test]
    fn what_stands_between_two_that_are_struck_out_in_each_other_is_not_seen() {
        for html in [
            "<del>P&gt;e3 <del>N&gt;c3</del> B&gt;f4</del>n&gt;g5",
            "<s>P&gt;e3 <b>N&gt;c3</b> B&gt;f4</s>n&gt;g5",
        ] {
            let read = text(html);
            assert_eq!(read.as_deref().map(str::trim), Ok("n>g5"), "{html}");
        }
    }

    #[test]
    fn a_term_that_is_defined_stands_on_a_line_of_its_own() {
        let read = text("<dl><dt>n&gt;g5</dt><dt>my move</dt></dl>").unwrap();
        assert!(read.lines().any(|line| line.trim() == "n>g5"), "{read:?}");
    }

    #[track_caller]
    fn assert_doubtful(html: &str, is_doubtful: bool) {
        let text = text(html).unwrap();
        let line = text.lines().find(|line| line.contains("n>g5"));
        let line = line.expect("the move is kept");
        assert_eq!(line.ends_with('\u{fdd1}'), is_doubtful, "{html}: {text:?}");
        assert!(!line.trim_end_matches('\u{fdd1}').contains('\u{fdd1}'));
        assert!(!text.contains('\u{e0fff}'), "{text:?}");
    }

    /// Went wrong: a move in white, tiny or transparent letters was played.
    #[test]
    fn what_a_reader_may_not_see_is_doubtful() {
        for html in [
            "<span style='color:#fff'>n&gt;g5</span>",
            "<font color=white>n&gt;g5</font>",
            "<font color='#FFFFFE'><b>n&gt;g5</b></font>",
            "<span style='font-size:1px'>n&gt;g5</span>",
            "<div style='font-size:1px'><span style='font-size:2em'>n&gt;g5</span></div>",
            "<div style='opacity:0'><p style='opacity:1'>n&gt;g5</div>",
            "<div style='opacity:.3'><div style='opacity:.3'>n&gt;g5</div></div>",
            "<table bgcolor=black><tr><td>n&gt;g5</table>",
            "<table><tr><td bgcolor=#336699><font color=#336699>n&gt;g5</table>",
            "<table><tbody style='color:white'><tr><td>n&gt;g5</table>",
            "<body text=white>n&gt;g5",
            "<html style='color:white'><body>n&gt;g5",
            "<div style='background:#111'><span style='color:#000'>n&gt;g5</span></div>",
            "<div style='background:url(x)'>n&gt;g5</div>",
            "<div style='position:absolute;left:-999px'>n&gt;g5</div>",
            "<details>n&gt;g5</details>",
            "<video>n&gt;g5</video>",
            "<bdo dir=rtl>n&gt;g5</bdo>",
            "<style>.x{color:white}</style><p class='y X'>n&gt;g5</p>",
            "<p class=x>n&gt;g5</p><style><!-- div.x:first-child , b {font-size:0} --></style>",
            "<style>@media screen { #a > span {opacity:0} }</style><div id=a><span>n&gt;g5</span></div>",
            "<style>*{color:#fff}</style>n&gt;g5",
            "<style>[title]{color:#fff}</style><p title=x>n&gt;g5",
            "<style>.x{@media all{color:#fff}}</style><p class=x>n&gt;g5",
            "<style>.x{@supports (color:red){color:#fff}}</style><p class=x>n&gt;g5",
            "<style>@scope (.x){color:#fff}</style><p class=x>n&gt;g5",
            "<style>.x{a{b:c} color:#fff}</style><p class=x>n&gt;g5",
            "<style>.x{a{b:c} color:#fff; b{c:d}}</style><p class=x>n&gt;g5",
            "<style>p[title~=x]{color:#fff}</style><p title=x>n&gt;g5",
            "<style>p[title='] .b']{color:#fff}</style><p title=x>n&gt;g5",
            "<style>p:not(.a .b){color:#fff}</style><p>n&gt;g5",
            "<style>p:not(:is(.a .b)){color:#fff}</style><p>n&gt;g5",
            "<style>svg|p{color:#fff}</style><p>n&gt;g5",
            "<style>p{color:var(--c)}</style><p>n&gt;g5",
            // Some of the line is enough.
            "n&gt;<span style='color:#fff'>g5</span>",
            "hello <span style='color:#fff'>n&gt;g5</span> hello",
            "<pre style='color:#fff'>a\nn&gt;g5\nb</pre>",
            "<span style='color:#fff'>&#110;&gt;g5</span>n>g5",
        ] {
            assert_doubtful(html, true);
        }
        let many = " a=b".repeat(50);
        assert_doubtful(&format!("<p{many} style='color:white'>n&gt;g5"), true);
    }

    #[test]
    fn what_a_reader_sees_is_not_doubtful() {
        for html in [
            "n&gt;g5",
            "<p>n&gt;g5 <span style='color:#fff'> &#32; </span></p>",
            "<p style='color:#fff'>x</p>n&gt;g5",
            "<font color=blue size=1 face=Arial>n&gt;g5</font>",
            "<span style='color:#1f497d;font-size:11.0pt;font-family:\"Calibri\",sans-serif'>n&gt;g5</span>",
            "<table bgcolor=black><tr><td style='color:white'>n&gt;g5</table>",
            "<span style='color: rgb(255, 255, 255); background-color: rgb(0, 0, 0);'>n&gt;g5</span>",
            "<div style='font-size:0'><p style='font-size:14px'>n&gt;g5</div>",
            "<style>p.MsoNormal, li.MsoNormal {margin:0cm; font-size:11.0pt; font-family:\"Calibri\",sans-serif;} a:link{color:#0563C1} @font-face{font-family:\"\\@MS Mincho\"}</style><p class=MsoNormal>n&gt;g5",
            "<style>.x{color:white}</style><p class=y>n&gt;g5</p>",
            "<style>.x td:nth-child(2n + 1){color:white}</style><p>n&gt;g5</p>",
            "<style>.x{color:white;background:#222}</style><p class=x>n&gt;g5</p>",
            "<details open>x</details>n&gt;g5",
        ] {
            assert_doubtful(html, false);
        }
    }

    /// A line is broken anywhere, and each of its pieces is as doubtful.
    #[test]
    fn a_long_doubtful_word_is_doubtful_in_all_its_lines() {
        let long = "x".repeat(3 * limits::HTML_WIDTH + 1);
        let cells = format!("<td>{long}").repeat(9);
        for html in [
            format!("<font color=white>{long}</font>"),
            format!("<table><tr style='color:white'>{cells}</table>"),
        ] {
            let text = text(&html).unwrap();
            assert!(text.lines().count() > 3);
            assert!(
                text.lines()
                    .all(|line| line.is_empty() || line.ends_with('\u{fdd1}')),
                "{html:.80}"
            );
        }
    }

    /// Went wrong: words of the opponent's who had ended the quotation were played.
    #[test]
    fn text_below_a_quotation_that_others_may_have_ended_is_doubtful() {
        for html in [
            "No<blockquote type=cite>a</blockquote>n&gt;g5</blockquote>",
            "No<blockquote type=cite>a</blockquote><div>n&gt;g5</div></blockquote>",
            "<div>No<blockquote type=cite>a</div>n&gt;g5</blockquote>",
            "<body>No<blockquote type=cite>a</body></html>n&gt;g5</blockquote></body>",
            "<body>No<blockquote type=cite>a</blockquote></body>n&gt;g5",
            "<table><tr><td>No<blockquote type=cite>a</td></tr></table>n&gt;g5<table><tr><td></blockquote></table>",
            "<table><tr><td>No<blockquote type=cite>a<tr><td>n&gt;g5</blockquote></table>",
            "<table><tr><td>No<blockquote type=cite>a</blockquote></td></tr>n&gt;g5</table>",
            "<ul><li>No<blockquote type=cite>a<ul></ul></ul>n&gt;g5</blockquote>",
            "No<div class=gmail_quote><blockquote class=gmail_quote>a</blockquote></div></div>n&gt;g5",
        ] {
            assert_doubtful(html, true);
            let text = text(html).unwrap();
            let own = text.trim_start_matches("* ");
            assert!(own.starts_with("No\n"), "{html}: {text:?}");
        }
        for html in [
            "<html><head></head><body>No<blockquote type=cite><p>a</blockquote>n&gt;g5</body></html>",
            "<div>n&gt;g5</b></div></div></span><blockquote type=cite>a</div></blockquote></blockquote>",
            "<blockquote type=cite><ul><li>a<li>b</ul><table><tr><td>a<tr><td>b</table></blockquote></p>n&gt;g5",
        ] {
            assert_doubtful(html, false);
        }
    }

    /// In an unknown language nothing else tells where it begins.
    #[test]
    fn a_quotation_without_marks_begins_with_a_separator() {
        for html in [
            "<div>No</div><div id=divRplyFwdMsg><b>Anfonwyd:</b> x</div><div>n&gt;g5</div>",
            "No<div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p>x</p></div>n&gt;g5",
            "No<div class='ydp1 ydp1yahoo_quoted'>n&gt;g5</div>",
            "No<div id=mail-editor-reference-message-container>x<div id=divRplyFwdMsg>n&gt;g5</div></div>",
        ] {
            let text = text(html).unwrap();
            let (own, quoted) = text.split_once("-----Original Message-----\n").unwrap();
            assert_eq!(own.trim(), "No", "{html}: {text:?}");
            assert!(
                quoted.contains("n>g5") && !quoted.contains("---"),
                "{text:?}"
            );
        }
        let inside = "<blockquote type=cite><div id=divRplyFwdMsg>x</div></blockquote>n&gt;g5";
        assert!(!text(inside).unwrap().contains("---"));
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

    // Documents made at random, and a slow reading of them that is surely right.

    /// The effect of a style on the text inside it, in the plainest words.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    enum Effect {
        Nothing,
        /// Black, white or some other color, by its letter.
        Color(char),
        Background(char),
        /// Letters of this size in pixels.
        Size(u8),
        /// Whatever stands inside, it may not be seen.
        Doubt,
        /// Nothing inside is seen.
        Gone,
        /// One more quote mark before each line.
        Quote,
    }

    /// Tags that have no other effect than theirs.
    const TAGS: &[(&str, Effect)] = &[
        ("<div>", Effect::Nothing),
        ("<span>", Effect::Nothing),
        ("<b style='font-weight:bold'>", Effect::Nothing),
        ("<div style='margin:0 0 0 40px'>", Effect::Nothing),
        ("<div style=color:#000>", Effect::Color('b')),
        (
            "<span style='color: rgb(255, 255, 255)'>",
            Effect::Color('w'),
        ),
        ("<font color=White>", Effect::Color('w')),
        ("<font color='#f00'>", Effect::Color('r')),
        ("<div style=color:var(--x)>", Effect::Color('?')),
        ("<div bgcolor=black>", Effect::Background('b')),
        ("<span style=background:white>", Effect::Background('w')),
        ("<div style=background-color:red>", Effect::Background('r')),
        ("<div style=background:url(x)>", Effect::Background('?')),
        ("<span style=font-size:1px>", Effect::Size(1)),
        ("<div style='font-size:12pt'>", Effect::Size(16)),
        ("<div style='font:1px serif'>", Effect::Size(1)),
        ("<div style=position:absolute;left:-99px>", Effect::Doubt),
        ("<span style=opacity:.01>", Effect::Doubt),
        ("<div class=x>", Effect::Doubt),
        ("<blockquote>", Effect::Doubt),
        ("<div style=display:none>", Effect::Gone),
        ("<span style='visibility: hidden'>", Effect::Gone),
        ("<del>", Effect::Gone),
        ("<blockquote type=cite>", Effect::Quote),
    ];

    /// A word with the effects around it, the outermost first.
    struct Word {
        name: String,
        around: Vec<Effect>,
    }

    impl Word {
        fn nearest<T>(&self, is_meant: impl Fn(Effect) -> Option<T>) -> Option<T> {
            self.around
                .iter()
                .rev()
                .find_map(|effect| is_meant(*effect))
        }

        fn is_gone(&self) -> bool {
            self.around.contains(&Effect::Gone)
        }

        fn depth(&self) -> usize {
            let quotes = self
                .around
                .iter()
                .filter(|effect| **effect == Effect::Quote);
            quotes.count()
        }

        fn is_doubtful(&self) -> bool {
            let color = self.nearest(|effect| match effect {
                Effect::Color(color) => Some(color),
                _ => None,
            });
            let background = self.nearest(|effect| match effect {
                Effect::Background(color) => Some(color),
                _ => None,
            });
            let size = self.nearest(|effect| match effect {
                Effect::Size(size) => Some(size),
                _ => None,
            });
            let (color, background) = (color.unwrap_or('b'), background.unwrap_or('w'));
            self.around.contains(&Effect::Doubt)
                || size.unwrap_or(16) < 3
                || color == background
                || [color, background].contains(&'?')
        }
    }

    fn add(html: &mut String, words: &mut Vec<Word>, around: &mut Vec<Effect>, rng: &mut Rng) {
        for _ in 0..rng.usize(1..4) {
            if around.len() > 5 || rng.u8(..3) == 0 {
                // Three digits in a line would say who wrote what stands below.
                let letters = format!("{}", words.len());
                let letters = letters.bytes().map(|digit| char::from(digit - b'0' + b'a'));
                let name: String = std::iter::once('w').chain(letters).collect();
                let _ = write!(
                    html,
                    "{}{name}{}",
                    [" ", "<br>"][rng.usize(..2)],
                    [" ", ""][rng.usize(..2)]
                );
                words.push(Word {
                    name,
                    around: around.clone(),
                });
                continue;
            }
            // A quotation within an element that indents is one, too.
            let (tag, effect) = TAGS[rng.usize(..TAGS.len())];
            let is_plain_quote = tag == "<blockquote>";
            if is_plain_quote && around.contains(&Effect::Quote) {
                continue;
            }
            html.push_str(tag);
            around.push(effect);
            add(html, words, around, rng);
            around.pop();
            let name = tag[1..].trim_end_matches('>').split(' ').next().unwrap();
            let _ = write!(html, "</{name}>");
        }
    }

    #[test]
    fn what_is_seen_is_what_a_slow_reading_says() {
        let mut rng = Rng::with_seed(25);
        let mut doubtful = 0;
        for _ in 0..4000 {
            let mut html = "<style>.x{color:white}</style>".to_owned();
            let mut words = Vec::new();
            add(&mut html, &mut words, &mut Vec::new(), &mut rng);
            let text = text(&html).unwrap();
            let mut told = Vec::new();
            for line in text.lines() {
                let (plain, is_doubtful) = match line.strip_suffix(DOUBT) {
                    Some(plain) => (plain, true),
                    None => (line, false),
                };
                let depth = plain.chars().take_while(|c| "> ".contains(*c));
                let depth = depth.filter(|c| *c == '>').count();
                let mut names = plain.split([' ', '>']).filter(|name| !name.is_empty());
                let names: Vec<&str> = names.by_ref().collect();
                // Words touch where nothing stands between them.
                let of_line: Vec<&Word> = (words.iter())
                    .filter(|word| {
                        names.iter().any(|name| {
                            let mut parts = name.split('w').skip(1);
                            parts.any(|part| *part == word.name[1..])
                        })
                    })
                    .collect();
                let is_right = of_line.iter().any(|word| word.is_doubtful()) == is_doubtful
                    && of_line.iter().all(|word| word.depth() == depth);
                assert!(is_right, "{html}\n{line:?}\n{text}");
                doubtful += usize::from(is_doubtful);
                told.extend(of_line.iter().map(|word| word.name.clone()));
            }
            let seen: Vec<String> = (words.iter())
                .filter(|word| !word.is_gone())
                .map(|word| word.name.clone())
                .collect();
            assert_eq!(told, seen, "{html}\n{text}");
        }
        assert!(doubtful > 1000, "only {doubtful}");
    }

    /// The words of the quoted person.
    const PIECES: &[&str] = &[
        "</blockquote>",
        "</div>",
        "</td>",
        "</tr>",
        "</table>",
        "</body>",
        "</html>",
        "</p>",
        "</span>",
        "</ul>",
        "</b>",
        "<blockquote>",
        "<blockquote type=cite>",
        "<div>",
        "<p>",
        "<ul>",
        "<li>",
        "<table>",
        "<tr>",
        "<td>",
        "<body>",
        "<b>",
        "<span>",
        "<hr>",
        "<br>",
        "<center>",
        "</center>",
        "<pre>",
        "</pre>",
        "<div class=gmail_quote>",
        "<div id=divRplyFwdMsg>",
        "<caption>",
        "<form>",
        "</form>",
        "<dd>",
        "<h1>",
        "</h1>",
    ];

    /// The frames that quoting programs write around the words.
    const FRAMES: &[(&str, &str)] = &[
        ("<blockquote type=cite>", "</blockquote>"),
        (
            "<html><body><div>own</div><blockquote type=cite>",
            "</blockquote></body></html>",
        ),
        (
            "<div><table><tr><td>own<blockquote type=cite>",
            "</blockquote></td></tr></table></div>",
        ),
        (
            "<div class=gmail_quote>own<blockquote class=gmail_quote>",
            "</blockquote></div>",
        ),
        ("<div style='border-left:1px solid'><div>", "</div></div>"),
    ];

    /// Elements that only their own end tags end.
    const ENDED: &[&str] = &["blockquote", "div", "table", "ul", "center", "pre", "form"];

    /// Returns true if each end tag of these elements ends the last one that is open, and
    /// none is left. Text between is not looked at.
    fn is_balanced(html: &str) -> bool {
        let mut open = Vec::new();
        for tag in html.split('<').skip(1) {
            let tag = tag.split('>').next().unwrap();
            let (is_end, tag) = tag
                .strip_prefix('/')
                .map_or((false, tag), |tag| (true, tag));
            let name = tag.split(' ').next().unwrap();
            if !ENDED.contains(&name) {
                continue;
            }
            if !is_end {
                open.push(name);
            } else if open.pop() != Some(name) {
                return false;
            }
        }
        open.is_empty()
    }

    #[test]
    fn nothing_quoted_comes_above_the_writer_s_words() {
        let mut rng = Rng::with_seed(26);
        let mut counts = [0, 0];
        for round in 0..20_000 {
            let (before, behind) = FRAMES[rng.usize(..FRAMES.len())];
            let mut quoted = String::new();
            for i in 0..rng.usize(1..12) {
                quoted.push_str(PIECES[rng.usize(..PIECES.len())]);
                if rng.bool() {
                    let _ = write!(quoted, " q{i} ");
                }
            }
            let html = format!("<p>mine</p>{before}{quoted}{behind}");
            let text = text(&html).unwrap();
            let mut lines = text.lines().filter(|line| !line.is_empty());
            let first = lines.next().unwrap_or_default();
            assert_eq!(first.trim(), "mine", "{round}: {html}\n{text}");
            let is_balanced = is_balanced(&html);
            for line in lines.filter(|line| line.contains('q')) {
                let is_marked = line.trim_start().starts_with('>');
                counts[usize::from(is_balanced)] += usize::from(!is_marked);
                let is_right =
                    is_marked || is_balanced && !line.contains("> q") || line.ends_with(DOUBT);
                assert!(is_right, "{round}: {html}\n{line:?}\n{text}");
            }
        }
        let [broken, balanced] = counts;
        assert!(broken > 1000 && balanced > 10, "{counts:?}");
    }
}
