//! Documents made at random, and a slow reading of them that is surely right.

use std::fmt::Write;

use fastrand::Rng;

use super::tests::text;
use crate::quoting::line::DOUBT;

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
