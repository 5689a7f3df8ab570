//! Text between two markers, if the second closes the first. Forums, wikis, editors and gateways
//! put such markers around somebody's words: `<quote>` and `</quote>`, `{quote}` twice,
//! `#+begin_quote` and `#+end_quote`, `----- Quotation -----` and `----- End -----`.
//!
//! Signs make a marker, whatever its name is. The quoted person may have written every marker
//! except the first and the last. So all lines from the first marker to the last one that closes it
//! are doubtful.

use std::collections::HashMap;

use crate::quoting::header_block;
use crate::quoting::line::{self, Line};

/// Samples of what this pass reacts to.
pub(super) const TOKENS: &[&str] = &[
    "<quote author='Ben'>",
    "</quote>",
    "[quote=Ben]",
    "[/quote]",
    "{quote}",
    "{% quote %}",
    "{% endquote %}",
    "[begin quote]",
    "[end of quote]",
    "#+begin_quote",
    "#+end_quote",
    "----- Begin quote -----",
    "----- End quote -----",
    "--8<---------------cut here---------------start------------->8---",
    "--8<---------------cut here---------------end--------------->8---",
    "**** Ben ****",
    "@end quotation",
    "<<",
    "{",
    "}",
];

/// The brackets of markers.
const BRACKETS: [(char, char); 3] = [('<', '>'), ('[', ']'), ('{', '}')];

/// The most words of a marker in brackets that is recognized by its words alone.
const MOST_WORDS: usize = 4;

/// The most words of a marker with signs at one end only.
const MOST_OF_ONE_END: usize = 2;

/// The name of markers that touch the quoted words.
const TOUCHING: &str = "…";

/// The fewest letters of a word that two markers share.
const SHARED: usize = 3;

/// The most bytes of a name after `end`: `endquote`.
const LONGEST_NAME: usize = 32;

/// Marks the lines of markers and the lines between them as doubtful.
pub(super) fn mark(lines: &mut [Line<'_>]) {
    let mut pairs = Pairs::default();
    for (at, line) in lines.iter().enumerate() {
        pairs.read(at, line);
    }
    // For each line, the last line that a marker opened there encloses.
    let mut last_of = vec![None; lines.len()];
    for span in pairs.found.into_values() {
        last_of[span.first] = last_of[span.first].max(span.last);
    }
    let mut last = None;
    for (at, line) in lines.iter_mut().enumerate() {
        last = last.max(last_of[at]);
        if last >= Some(at) && !line.is_blank() {
            line.is_doubtful = true;
        }
    }
    line::mark_doubtful(lines);
}

/// The markers with the same sign and the same name.
struct Span {
    /// The line of the first one.
    first: usize,
    /// The line of the last one that closes it.
    last: Option<usize>,
}

/// The markers that were found, by sign and by name in small letters. A marker has no name if any
/// other marker with its sign closes it.
#[derive(Default)]
struct Pairs {
    found: HashMap<(char, String), Span>,
}

impl Pairs {
    fn open(&mut self, sign: char, name: &str, at: usize) {
        let span = self.found.entry((sign, name.to_owned()));
        span.or_insert(Span {
            first: at,
            last: None,
        });
    }

    /// Closes the open marker. Returns false if none is open.
    fn close(&mut self, sign: char, name: &str, at: usize) -> bool {
        let span = self.found.get_mut(&(sign, name.to_owned()));
        span.map(|span| span.last = Some(at)).is_some()
    }

    /// Encloses one line.
    fn enclose(&mut self, sign: char, at: usize) {
        let place = at.to_string();
        self.open(sign, &place, at);
        self.close(sign, &place, at);
    }

    /// Closes the open marker, or opens one if none is open.
    fn turn(&mut self, sign: char, name: &str, at: usize) {
        if !self.close(sign, name, at) {
            self.open(sign, name, at);
        }
    }

    fn read(&mut self, at: usize, line: &Line<'_>) {
        let Some(text) = unmarked(line) else {
            return;
        };
        let is_of_words = |c: char| c.is_alphanumeric() || " ,.;:!?'\"()".contains(c);
        if text.chars().all(is_of_words) {
            return;
        }
        let text = plain(text);
        let text = text.trim();
        // A blank that is not broken, as HTML has it in empty lines.
        if text.is_empty() {
            return;
        }
        self.read_tags(at, text);
        self.read_alone(at, text);
        if has_scissors(text) {
            self.turn('✂', "", at);
            // The two may stand on one line.
            self.enclose('✂', at);
        }
        let is_armour = text.starts_with("-----begin pgp ") || text.starts_with("-----end pgp ");
        if header_block::closes(text) {
            self.close('-', "", at);
        } else if !header_block::opens(text)
            && !is_armour
            && let Some(ruled) = Ruled::read(text)
        {
            self.read_ruled(at, &ruled);
        }
        // Quoted words may touch the markers around them.
        for marker in ends(text).into_iter().flatten() {
            if let Some(ruled) = Ruled::read(marker) {
                self.read_ruled(at, &ruled);
            }
        }
        for (begin, _) in text.match_indices("#+") {
            if text[begin + 2..].starts_with(char::is_alphabetic) {
                self.turn('#', "", at);
            }
        }
        // Texinfo has a word before the name: `@end quotation`.
        if let Some(name) = text.strip_prefix('@')
            && name.starts_with(char::is_alphabetic)
        {
            self.turn_words('@', name, at);
        }
    }

    /// Reads the tags anywhere in a line: `<quote>`, `[quote=Anna]`, `{{/quote}}`.
    fn read_tags(&mut self, at: usize, text: &str) {
        let is_bracket = |c: char| {
            BRACKETS
                .iter()
                .any(|(open, close)| c == *open || c == *close)
        };
        let mut rest = text;
        while let Some(found) = rest.find(['<', '[', '{']) {
            let sign = char::from(rest.as_bytes()[found]);
            let behind = &rest[found + 1..];
            let name = behind.trim_start_matches(|c: char| !c.is_alphanumeric() && !is_bracket(c));
            let signs = &behind[..behind.len() - name.len()];
            // `[begin quote]` and `[end quote]` share a word. Braces are comments in lists of
            // moves.
            let is_of_words = |c: char| c.is_alphanumeric() || c == ' ';
            let words = behind.trim_start_matches(is_of_words);
            let is_closed = sign != '{' && words.starts_with(closing(sign));
            let words = &behind[..behind.len() - words.len()];
            if is_closed && (2..=MOST_WORDS).contains(&words.split_whitespace().count()) {
                self.turn_words(sign, words, at);
            }
            let is_of_name = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
            rest = name.trim_start_matches(is_of_name);
            let name = &name[..name.len() - rest.len()];
            if name.is_empty() {
                continue;
            }
            if signs.contains(['/', '\\']) {
                self.close(sign, name, at);
                continue;
            }
            let end = rest.trim_start_matches(|c: char| " %-#?!".contains(c));
            let is_bare = end.starts_with(closing(sign));
            if !is_bare || !self.close_bare(sign, name, at) {
                self.open(sign, name, at);
            }
        }
    }

    /// Closes what a tag without a slash closes: the same tag in braces, or the tag whose name
    /// follows `end` (`{% endquote %}`).
    fn close_bare(&mut self, sign: char, name: &str, at: usize) -> bool {
        let is_same = sign == '{' && name.starts_with(char::is_alphabetic);
        if is_same && self.close(sign, name, at) {
            return true;
        }
        let rests = name.char_indices().skip(1).map(|(start, _)| &name[start..]);
        let rests = rests.filter(|rest| rest.len() >= SHARED && name.len() <= LONGEST_NAME);
        let mut is_closed = false;
        for rest in rests {
            is_closed |= self.close(sign, rest, at);
        }
        is_closed
    }

    /// Reads a line that is one marker in brackets, is some brackets alone, or has a marker at each
    /// end.
    fn read_alone(&mut self, at: usize, text: &str) {
        for (open, close) in BRACKETS {
            self.read_touching(at, text, [open, close]);
            // `<<` and `>>` mark what they touch, too.
            if text.starts_with(&[open; 2].iter().collect::<String>()) {
                self.open(close, "", at);
            }
            if text.ends_with(&[close; 2].iter().collect::<String>()) {
                self.close(close, "", at);
            }
            // Where two versions of a file differ: `>>>>>>> Ann`.
            if open == '<' && text.starts_with(">>>>>") {
                self.close(close, "", at);
            }
            if text.trim_start_matches(open).is_empty() {
                self.open(close, "", at);
            } else if text.trim_start_matches(close).is_empty() {
                self.close(close, "", at);
            } else if text.starts_with(open) && text.ends_with(close) {
                let inner = text.trim_matches(|c: char| !c.is_alphanumeric());
                if let Some((_, last)) = inner.rsplit_once(open) {
                    if inner.contains(close) && may_close(last) {
                        self.enclose(close, at);
                    }
                } else if text.trim_start_matches(open).trim_start().starts_with('/') {
                    self.close(open, "", at);
                } else if may_close(inner) {
                    self.turn(open, "", at);
                } else if has_letters(inner) {
                    self.open(open, "", at);
                }
            }
        }
    }

    /// Reads the markers in brackets at the start and the end of a longer line: `[Ann] Hello`,
    /// `Bye [end]`. A marker in braces must touch a word, since comments of a list are in braces, too.
    fn read_touching(&mut self, at: usize, text: &str, [open, close]: [char; 2]) {
        let touches = |c: Option<char>| c.is_some_and(|c| open != '{' || !c.is_whitespace());
        if let Some((marker, behind)) = text.strip_prefix(open).and_then(|it| it.split_once(close))
            && touches(behind.chars().next())
            && may_close(marker)
        {
            self.open(open, TOUCHING, at);
        }
        if let Some((before, marker)) = text.strip_suffix(close).and_then(|it| it.rsplit_once(open))
            && touches(before.chars().next_back())
            && may_close(marker)
        {
            self.close(open, TOUCHING, at);
        }
    }

    /// Reads a line with words between dashes or similar signs.
    fn read_ruled(&mut self, at: usize, ruled: &Ruled<'_>) {
        let (least, most) = (ruled.start.min(ruled.end), ruled.start.max(ruled.end));
        // Stars and similar signs also surround emphasized words.
        let (pair, share) = if ruled.sign == '-' { (1, 2) } else { (4, 3) };
        if least >= pair {
            self.turn(ruled.sign, "", at);
        }
        let count = ruled.words.split_whitespace().count();
        let most_words = if least >= share {
            MOST_WORDS
        } else {
            MOST_OF_ONE_END
        };
        if most >= share && count <= most_words {
            self.turn_words(ruled.sign, ruled.words, at);
        }
    }

    /// Closes or opens a marker that has one of these words.
    fn turn_words(&mut self, sign: char, text: &str, at: usize) {
        let words = text.split(|c: char| !c.is_alphanumeric());
        for word in words.filter(|word| word.chars().count() >= SHARED && is_word(word)) {
            self.turn(sign, word, at);
        }
    }
}

/// Returns the markers at the start and at the end of a longer line: words between two or more of
/// the same sign.
fn ends(text: &str) -> [Option<&str>; 2] {
    let is_run = |text: &str| text.len() > 1;
    let sign = |c: Option<char>| c.filter(|c| RULES.contains(*c));
    let first = sign(text.chars().next()).and_then(|sign| {
        let behind = text.trim_start_matches(sign);
        let start = text.len() - behind.len();
        let at = start + behind.find(sign)?;
        let end = text.len() - text[at..].trim_start_matches(sign).len();
        (is_run(&text[..start]) && is_run(&text[at..end]) && end < text.len()).then(|| &text[..end])
    });
    let last = sign(text.chars().next_back()).and_then(|sign| {
        let end = text.trim_end_matches(sign).len();
        let at = text[..end].rfind(sign)? + sign.len_utf8();
        let start = text[..at].trim_end_matches(sign).len();
        (is_run(&text[end..]) && is_run(&text[start..at]) && start > 0).then(|| &text[start..])
    });
    [first, last]
}

/// The signs that make a rule.
const RULES: &str = "-=*_~#+";

/// A line of words with the same sign at one end or at both.
struct Ruled<'t> {
    sign: char,
    /// How often the sign occurs at the start and at the end.
    start: usize,
    end: usize,
    words: &'t str,
}

impl<'t> Ruled<'t> {
    fn read(text: &'t str) -> Option<Ruled<'t>> {
        // An arrow: `<--- Begin --->`.
        let text = text
            .strip_prefix('<')
            .filter(|text| text.starts_with('-'))
            .unwrap_or(text);
        let text = text
            .strip_suffix('>')
            .filter(|text| text.ends_with('-'))
            .unwrap_or(text);
        let ends = [text.chars().next(), text.chars().next_back()];
        let sign = ends.into_iter().flatten().find(|c| RULES.contains(*c))?;
        let is_sign = |c: char| c == sign;
        let is_end = |c: char| is_sign(c) || c == ' ';
        let behind = text.trim_start_matches(is_end);
        let words = behind.trim_end_matches(is_end);
        let count = |signs: &str| signs.matches(is_sign).count();
        // An empty row of a board that touches a heading is not a marker.
        let is_apart = text.len() == words.len()
            || text.starts_with(is_sign) && text.ends_with(is_sign)
            || text[..text.len() - behind.len()].ends_with(' ')
            || behind[words.len()..].starts_with(' ');
        if !is_apart {
            return None;
        }
        let ruled = Ruled {
            sign,
            start: count(&text[..text.len() - behind.len()]),
            end: count(&behind[words.len()..]),
            words,
        };
        let has_word = words.split(|c: char| !c.is_alphanumeric()).any(is_word);
        // Scissors: `---8<---`.
        let has_scissors = || words.contains(['<', '>', '✂', '✁', '✃', '✄']);
        (has_word || has_scissors()).then_some(ruled)
    }
}

/// Returns true for a line to cut along: `8<------`, `------>8`, `✂`.
fn has_scissors(text: &str) -> bool {
    const BLADES: [&str; 8] = ["8<", "<8", "8>", ">8", "%<", "<%", ">%", "%>"];
    let has_blades = || BLADES.iter().any(|blades| text.contains(blades));
    text.contains(['✂', '✁', '✃', '✄'])
        || (text.len() == 2 || text.matches('-').count() > 2) && has_blades()
}

/// Returns true for a few words. An address, a picture or a value closes nothing.
fn may_close(marker: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || " -_/'".contains(c);
    has_letters(marker)
        && marker.chars().all(is_word)
        && marker.split_whitespace().count() <= MOST_WORDS
}

fn has_letters(marker: &str) -> bool {
    marker.chars().filter(|c| c.is_alphabetic()).count() > 1
}

/// Returns true for a word, but not for the cells of a drawing, which are single letters or only
/// consonants.
fn is_word(text: &str) -> bool {
    let is_letter = |c: char| "aeiouy".contains(c) || !c.is_ascii() && c.is_alphabetic();
    text.chars().count() > 1 && text.contains(is_letter)
}

/// Returns the text of a line that has no quote mark. Quote marks explain the text of the others.
fn unmarked<'a>(line: &Line<'a>) -> Option<&'a str> {
    let start = line.text.as_ptr() as usize - line.source.as_ptr() as usize;
    match line.source[..start].trim_start().chars().next() {
        // Tags were cut off.
        None | Some('<' | '[') => Some(line.source),
        // An escape of PGP was cut off.
        Some('-') => Some(line.text),
        // A line of `>` closes a line of `<`.
        Some('>') if line.source.trim_matches(['>', ' ']).is_empty() => Some(line.source),
        Some('>') if line.source.starts_with(">>>>>") || line.source.starts_with(">8") => {
            Some(line.source)
        }
        Some(_) => None,
    }
}

/// Returns a text in small letters, with plain brackets and dashes.
fn plain(text: &str) -> String {
    let text = text.to_lowercase();
    let text = if text.contains("&lt;") || text.contains("&gt;") {
        text.replace("&lt;", "<").replace("&gt;", ">")
    } else {
        text
    };
    if text.is_ascii() {
        return text;
    }
    let plain = |c: char| match c {
        '–' | '—' | '―' | '─' | '━' => '-',
        '\u{a0}' => ' ',
        '‹' => '<',
        '›' => '>',
        // The full-width forms of ASCII.
        '！'..='～' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        c => c,
    };
    text.chars().map(plain).collect()
}

/// Returns the bracket that closes another.
fn closing(open: char) -> char {
    let pair = BRACKETS.iter().find(|(sign, _)| *sign == open);
    pair.map_or(open, |(_, close)| *close)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns for each line whether it is doubtful.
    fn doubtful(text: &str) -> String {
        let mut lines = line::split(text);
        mark(&mut lines);
        let signs = lines
            .iter()
            .map(|line| if line.is_doubtful { '?' } else { '.' });
        signs.collect()
    }

    #[test]
    fn all_from_the_first_marker_to_the_last_is_doubtful() {
        for (text, expected) in [
            ("<quote author='Ann'>\nB12\n</quote>\nno", "???."),
            ("[quote=Ann]B12[/quote]\nno", "?."),
            ("Hi\n{quote}\nB12\n\nB13\n{quote}\n\nno", ".??.??.."),
            ("#+begin_quote\nB12\n#+end_quote\nno", "???."),
            ("----- Ann -----\nB12\n----- End -----\nno", "???."),
            ("<quote>\n</quote>\nB12\n</quote>\nno", "????."),
            ("<begin>B12<end>\nno", "?."),
            ("<quote\n author='Ann'>\nB12\n</quote>", "????"),
            ("<<\nB12\n>>\nno", "???."),
            ("<< B12 >>\nno", "?."),
            ("[begin quote]B12\nB13[end quote]\nno", "??."),
            ("[Ann]B12\nB13[end]\nno", "??."),
            ("[Ann] B12\nB13 [end]\nno", "??."),
            ("8<------\n\nB12\n\n------>8\n\nno", "?.?.?.."),
            ("✂--------\nB12\n--------✂\nno", "???."),
            ("%<-----\nB12\n-----%‹\nno", "???."),
            ("8<\n\nB12\n\n>8\nno", "?.?.?."),
            ("– Ann –\nB12\n– end –\nno", "???."),
            ("- - 8< - - hello\nB12\nbye - - >8 - -\nno", "???."),
            ("<<<<<<< Ann\n\nB12\n\n>>>>>>> Ann\nno", "?.?.?."),
            ("{good} B12\nB13 {better}\nno", "..."),
            ("\u{a0}\nB12\n\u{a0}\n>\nno", "....."),
            ("----- Quote -----B12\nB13----- End quote -----\nno", "??."),
            ("#+begin_quoteB12\nB13#+end_quote\nno", "??."),
        ] {
            assert_eq!(doubtful(text), expected, "{text}");
        }
    }

    #[test]
    fn what_no_other_marker_closes_encloses_nothing() {
        for text in [
            "Hello\nB12\nCheers",
            "<quote>\nB12",
            "B12\n</quote>",
            "</quote>\nB12\n<quote>",
            "<ann@example.com>\nB12\n<ann@example.com>",
            "[image: a.png]\nB12\n[image: b.png]",
            "**Hi Ann**\nB12\n**Bye**",
            "----\nB12\n----",
            "[EXT] Hello\nB12\nBye",
            "--n-----\nB12\n-----b--",
            "--------Ann'spiecesinreserve:\nB12\n--------Ann'spiecesinreserve:",
            "-----BEGIN PGP SIGNED MESSAGE-----\nB12\n-----BEGIN PGP SIGNATURE-----",
            "----- Ann -----\nB12\n-----Original Message-----",
        ] {
            assert!(!doubtful(text).contains('?'), "{text}: {}", doubtful(text));
        }
    }
}
