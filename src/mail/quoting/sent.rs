//! What the program sent to the writer of a text before: words of our own mails, and words
//! of other people that we carried, are not the writer's, with or without quote marks.
//!
//! Only letters and digits are compared, in their order. So it does not matter where a
//! program has wrapped a line, and which dashes, quotation marks and links it has made. A
//! line that is only an order counts as known only together with a word beside
//! it, so a writer can still give an order that somebody else named.
//!
//! Words that one of our mails carries stand in quote marks above its foot. They are found
//! without any knowledge of what was sent, so that a pasted mail of ours is read by its own
//! list alone.

use std::collections::HashSet;

use crate::quoting::habits::Habits;
use crate::quoting::line::{self, Author, Line, Words, is_number};
use crate::quoting::{attribution, header_block};

/// The most words by which two carried words may be apart and still count as near. A mail
/// program may drop a word between them.
const CARRIED_REACH: usize = 4;

/// The most words by which two words of our own may be apart and still count as near.
const OWN_REACH: usize = 1;

/// The most words between the number of a row and its last order.
const RECORD_REACH: usize = 2;

/// The mails that the program sent to the writer of a text. They tell the writer's words
/// from ours and from those of other people that we carried. Above the first sign of a
/// quotation all words are the writer's, whoever else has written the same.
///
/// The cost of making it is linear in the texts.
///
/// # Examples
///
/// ```
/// use parapost_mail::quoting::classify;
/// use parapost_mail::quoting::habits::Habits;
/// use parapost_mail::quoting::line::Author;
/// use parapost_mail::quoting::sent::Sent;
///
/// let sent = Sent::nothing().carried("I fear\n1. P>e3 n>g5 2. K>a1");
/// let text = "Thanks!\n\nBen wrote:\nI fear\n1. P>e3 n>g5 2. K>a1\n";
/// let lines = classify(text, &sent, &Habits::NONE);
/// assert_eq!(lines[0].author, Author::Own);
/// assert_eq!(lines[4].author, Author::Carried);
/// ```
#[derive(Clone, Default, Debug)]
pub struct Sent {
    /// The words of other people.
    pub(super) carried: Words,
    /// Our own words around them.
    pub(super) ours: Words,
    /// The list of what was done.
    pub(super) record: Words,
    /// The lines of the writer's that our questions repeat.
    pub(super) asked: HashSet<String>,
}

impl Sent {
    /// Nothing is known to have been sent, as for a pasted text.
    #[must_use]
    pub fn nothing() -> Sent {
        Sent::default()
    }

    /// Adds words of another person that were sent to the writer.
    #[must_use]
    pub fn carried(mut self, text: &str) -> Sent {
        self.carried.add(text, CARRIED_REACH);
        self
    }

    /// Returns true if words of other people were sent.
    pub(super) fn carries_words(&self) -> bool {
        !self.carried.is_empty()
    }

    /// Returns the same without the words of other people.
    pub(super) fn without_carried(&self) -> Sent {
        Sent {
            carried: Words::default(),
            ours: self.ours.clone(),
            record: self.record.clone(),
            asked: self.asked.clone(),
        }
    }

    /// Returns true if one of our questions has repeated a line.
    pub(super) fn has_asked(&self, line: &Line<'_>) -> bool {
        self.asked.contains(&spaced(line.text))
    }

    /// Adds words of our own.
    #[must_use]
    pub fn ours(mut self, text: &str) -> Sent {
        self.ours.add(text, OWN_REACH);
        self
    }

    /// Returns the same, for what is sent with many texts: it costs nothing to clone, and
    /// what is added to a clone costs no more than its own words.
    #[must_use]
    pub fn shared(self) -> Sent {
        Sent {
            carried: self.carried.shared(),
            ours: self.ours.shared(),
            record: self.record.shared(),
            asked: self.asked,
        }
    }

    /// Adds lines of the writer's that a question of ours has repeated. Whoever writes one
    /// again may mean it, unless a program puts such a line above a quotation.
    #[must_use]
    pub fn asked(mut self, lines: &[String]) -> Sent {
        let lines = lines.iter().filter(|line| !names_source(line));
        self.asked.extend(lines.map(|line| spaced(line)));
        self
    }

    /// Adds the numbered rows of what was done, as `1. B12 C7`. A row is the record's, even if
    /// somebody repeats it in words that were carried.
    #[must_use]
    pub fn record(mut self, list: &str) -> Sent {
        self.record.add(list, RECORD_REACH);
        self
    }
}

/// Returns the words of a line with one blank between them.
fn spaced(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    words.join(" ")
}

/// The most words between two words of a reply that were near in a mail. A program may
/// put a word of its own between them.
const REACH: usize = 2;

/// The most words of a line without an order that say too little by themselves.
const SHORT: usize = 3;

/// Marks the lines that were sent to the writer.
pub(super) fn mark_sent(lines: &mut [Line<'_>], sent: &Sent, habits: &Habits) {
    if sent.carried.is_empty() && sent.ours.is_empty() {
        return;
    }
    let text = Text::of(lines, habits);
    let (theirs, ours) = (text.compare(&sent.carried), text.compare(&sent.ours));
    let is_of_record = text.rows_of(&sent.record);
    // True where the lines above are carried words.
    let mut is_below_carried = true;
    let mut found = Vec::with_capacity(lines.len());
    for (i, line) in lines.iter().enumerate() {
        let is_copied = match (theirs[i], ours[i]) {
            // Somebody has copied a line of ours. The lines above tell the copy from it.
            (Seen::Whole, Seen::Whole) => is_below_carried,
            (carried, _) => carried == Seen::Whole,
        };
        if !line.is_blank() && theirs[i] != Seen::Short {
            is_below_carried = is_copied;
        }
        found.push(match (theirs[i], ours[i]) {
            _ if is_copied => Seen::Whole,
            (Seen::Whole, _) => Seen::No,
            (carried, _) => carried,
        });
    }
    let short = text.short(sent, &found, &theirs);
    let is_asked: Vec<bool> = (lines.iter())
        .map(|line| !sent.asked.is_empty() && sent.has_asked(line))
        .collect();
    // One of those that we asked about, and no other words of ours stand beside it, as they do in
    // our question. The rows of a list are anybody's, and a mark begins a quotation of its own.
    let is_ours =
        |at: usize| ours[at] == Seen::Whole && !is_of_record[at] && lines[at].is_unmarked();
    let ours_beside = beside(lines, |at| is_asked[at], is_ours);
    let is_written_again = |at: usize| is_asked[at] && ours_beside[at] == [false; 2];
    let marks_beside = beside(lines, |_| false, |at| !lines[at].is_unmarked());
    // Below a mark with nothing behind it no line is the wrapped end of another.
    let is_below_empty: Vec<bool> = (0..lines.len())
        .map(|at| at > 0 && lines[at - 1].column > 1 && lines[at - 1].is_blank())
        .collect();
    // Two orders of the writer's, each of which a mail of ours has, too, tell nothing of each
    // other: a longer line of the mail stands beside a part of it.
    let is_short = |at: usize| short[at] == Some(Author::Program);
    let is_long = |at: usize| ours[at] == Seen::Whole || found[at] == Seen::Whole;
    let long_beside = beside(lines, is_short, is_long);
    let is_in_copy = in_copy(
        lines,
        habits,
        |at| ours[at] == Seen::Whole && !is_of_record[at],
        |at| theirs[at] == Seen::Whole,
    );
    let has_carried_words = text.has_words_of(&sent.carried);
    for (i, line) in lines.iter_mut().enumerate() {
        let is_unmarked = line.is_unmarked();
        line.author = match (found[i], ours[i], short[i]) {
            (Seen::Whole, ..) if is_of_record[i] => line.author,
            (Seen::Whole, ..) => Author::Carried,
            // One neighbour tells too little to drop the line in silence: an order in it is
            // asked about.
            // So does a copy of a line of ours.
            (_, _, Some(Author::Carried | Author::Unclear)) if is_unmarked => Author::Unclear,
            (_, _, Some(Author::Carried)) => Author::Carried,
            (_, Seen::Whole, _) if is_unmarked && is_written_again(i) => Author::Unclear,
            // A question has repeated an attribution, which still says whose words stand below.
            (_, Seen::Whole, _) if is_unmarked && has_source_of_quotation(line) => line.author,
            // The words of our own help are those that its reader answers with.
            (_, _, Some(Author::Program))
                if is_unmarked && marks_beside[i] == [true; 2] && is_below_empty[i] =>
            {
                line.author
            }
            (_, _, Some(Author::Program))
                if is_unmarked
                    && (marks_beside[i] == [true; 2] || long_beside[i] == [false; 2]) =>
            {
                Author::Unclear
            }
            (_, Seen::Whole, _) | (_, _, Some(Author::Program)) if is_unmarked => Author::Program,
            (Seen::Start, ..) => Author::Unclear,
            // A mail program may have changed the words beside it, such as links.
            _ if is_in_copy[i] && has_carried_words[i] && theirs[i] == Seen::Short => {
                Author::Unclear
            }
            _ => line.author,
        };
    }
}

/// Tells for each line with words what the next line above and the next one below is that has
/// words and is not passed over.
fn beside(
    lines: &[Line<'_>],
    is_passed_over: impl Fn(usize) -> bool,
    is_it: impl Fn(usize) -> bool,
) -> Vec<[bool; 2]> {
    let mut beside = vec![[false; 2]; lines.len()];
    let mut walk = |order: &mut dyn Iterator<Item = usize>, side: usize| {
        let mut last = false;
        for at in order.filter(|at| !lines[*at].is_blank()) {
            beside[at][side] = last;
            if !is_passed_over(at) {
                last = is_it(at);
            }
        }
    };
    walk(&mut (0..lines.len()), 0);
    walk(&mut (0..lines.len()).rev(), 1);
    beside
}

/// Tells for each line without a mark if it stands in a copy of a mail of ours: below a line of it, and
/// not below its foot.
fn in_copy(
    lines: &[Line<'_>],
    habits: &Habits,
    is_ours: impl Fn(usize) -> bool,
    is_carried: impl Fn(usize) -> bool,
) -> Vec<bool> {
    let mut is_copy = false;
    let found = (0..lines.len()).map(|at| {
        let is_within = is_copy && lines[at].is_unmarked();
        if lines[at].is_unmarked() && !is_carried(at) {
            if (habits.foot)(lines, at).is_some() {
                is_copy = false;
            } else if is_ours(at) {
                is_copy = true;
            }
        }
        is_within
    });
    found.collect()
}

/// Marks the list of orders where our mail has come back without marks. Runs when all
/// quotations are known.
pub(super) fn mark_rows(lines: &mut [Line<'_>], sent: &Sent, habits: &Habits) {
    let is_ours = |line: &Line<'_>| line.author == Author::Program;
    let (Some(first), Some(last)) = (
        lines.iter().position(is_ours),
        lines.iter().rposition(is_ours),
    ) else {
        return;
    };
    let text = Text::of(lines, habits);
    let is_of_record = text.rows_of(&sent.record);
    let mut above = Author::Own;
    // A list above or below our mail is the writer's.
    for (i, line) in lines.iter_mut().enumerate().take(last).skip(first) {
        if line.is_blank() {
            continue;
        }
        // The second order of a row may have come to stand on a line of its own.
        let is_rest = || above == Author::Program && text.goes_on(i, &sent.record);
        if line.author == Author::Own && (is_of_record[i] || is_rest()) {
            line.author = Author::Program;
        }
        above = line.author;
    }
}

/// The part of a line that is in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Seen {
    No,
    /// Nothing yet: it has too few words to tell without a neighbour.
    Short,
    /// Its first words, with an order among them.
    Start,
    Whole,
}

/// The words of a reply, with the places of its lines among them.
struct Text<'h> {
    words: Vec<String>,
    /// For each line, the place of its first word, and of the first word that is no
    /// number of an order; then the end.
    lines: Vec<[usize; 3]>,
    /// For each line, true if it has quote marks.
    is_quoted: Vec<bool>,
    /// The words that are mail addresses: with a digit in it, one is like an order.
    addresses: HashSet<String>,
    habits: &'h Habits,
}

impl<'h> Text<'h> {
    fn of(lines: &[Line<'_>], habits: &'h Habits) -> Text<'h> {
        let mut text = Text {
            words: Vec::new(),
            lines: Vec::new(),
            is_quoted: lines.iter().map(|line| line.column > 1).collect(),
            addresses: HashSet::new(),
            habits,
        };
        for line in lines {
            let start = text.words.len();
            if line.text.contains('@') {
                text.addresses.extend(addresses(&line.plain()));
            }
            text.words.extend(line::of_line(line));
            let numbers = text.words[start..]
                .iter()
                .take_while(|word| is_number(word));
            let first = start + numbers.count();
            text.lines.push([start, first, text.words.len()]);
        }
        text
    }

    /// Tells for each line how much of it the other words have.
    fn compare(&self, other: &Words) -> Vec<Seen> {
        let numbers: Vec<Option<u32>> = self.words.iter().map(|word| other.find(word)).collect();
        // True for each word that stands near another as in the other words.
        let mut is_known = vec![false; numbers.len()];
        for a in 0..numbers.len() {
            for b in a + 1..(a + 1 + REACH).min(numbers.len()) {
                if other.has(numbers[a], numbers[b]) {
                    (is_known[a], is_known[b]) = (true, true);
                }
            }
        }
        let line = |&[start, first, end]: &[usize; 3]| {
            if start == end {
                return Seen::No;
            }
            if self.is_short(first, end) {
                return Seen::Short;
            }
            let known = (start..end).take_while(|at| is_known[*at]).count();
            let mut begin = self.words[start..start + known].iter();
            if known == end - start {
                Seen::Whole
            } else if known > 1 && begin.any(|word| (self.habits.is_like_order)(word)) {
                Seen::Start
            } else {
                Seen::No
            }
        };
        self.lines.iter().map(line).collect()
    }

    /// Tells for each line if it has words, and all of them are among these.
    fn has_words_of(&self, other: &Words) -> Vec<bool> {
        let is_of = |&[start, _, end]: &[usize; 3]| {
            start < end
                && self.words[start..end]
                    .iter()
                    .all(|word| other.find(word).is_some())
        };
        self.lines.iter().map(is_of).collect()
    }

    /// Tells whose each short line is, if a neighbour tells. The neighbour is of the
    /// same words, or it is a line of ours that stands beside them.
    fn short(&self, sent: &Sent, found: &[Seen], in_carried: &[Seen]) -> Vec<Option<Author>> {
        // The line of each word.
        let lines: Vec<usize> = (0..)
            .zip(&self.lines)
            .fold(Vec::new(), |mut lines, (i, line)| {
                lines.resize(line[2], i);
                lines
            });
        let has = |words: &Words, at: usize| words.find(&self.words[at]).is_some();
        // True for each line that has no other words than those sent.
        let is_sent: Vec<bool> = (self.lines.iter())
            .map(|&[start, _, end]| {
                (start..end).all(|at| has(&sent.carried, at) || has(&sent.ours, at))
            })
            .collect();
        let is_of = |words: &Words, line: usize, is_neighbour: &dyn Fn(usize) -> bool| {
            let [start, first, end] = self.lines[line];
            let first = if first < end { first } else { start };
            let is_near = |a: usize, b: usize| {
                words.has(words.find(&self.words[a]), words.find(&self.words[b]))
            };
            // The number of an order stands between two of them.
            let goes_on =
                || is_near(start - 1, first) || (start..=first).all(|at| is_near(at - 1, at));
            // The writer's own line above a quotation is no part of it.
            let is_above =
                |below: usize| is_neighbour(below) && self.is_quoted[line] >= self.is_quoted[below];
            let is_beside = start > 0 && is_neighbour(lines[start - 1]) && goes_on()
                || end < lines.len() && is_above(lines[end]) && is_near(end - 1, end);
            is_beside && (start..end).all(|at| has(words, at))
        };
        let may_be_carried = |line: usize| {
            // A copy of ours that is not among the carried words is ours.
            let is_ours = in_carried[line] == Seen::Whole && found[line] != Seen::Whole;
            is_sent[line] && !is_ours
        };
        let line = |line: usize| {
            if in_carried[line] != Seen::Short {
                None
            } else if is_of(&sent.carried, line, &may_be_carried) {
                Some(Author::Carried)
            } else if is_of(&sent.ours, line, &|line| is_sent[line]) {
                Some(Author::Program)
            } else if is_of(&sent.carried, line, &|line| is_sent[line]) {
                // It stands below a copy of a line of ours, as in the words of somebody
                // who has copied that line.
                Some(Author::Unclear)
            } else {
                None
            }
        };
        (0..self.lines.len()).map(line).collect()
    }

    /// Tells for each line if its words are rows of the list of orders. The number of a
    /// row stands before both of its orders, so both distances are compared.
    fn rows_of(&self, record: &Words) -> Vec<bool> {
        let numbers: Vec<Option<u32>> = self.words.iter().map(|word| record.find(word)).collect();
        let line = |&[start, _, end]: &[usize; 3]| {
            let numbers = &numbers[start..end];
            let is_near = |reach: usize| {
                let mut pairs = numbers.iter().zip(numbers.iter().skip(reach));
                pairs.all(|(first, second)| record.has(*first, *second))
            };
            numbers.len() > 1 && is_near(1) && is_near(2)
        };
        self.lines.iter().map(line).collect()
    }

    /// Returns true if a line of one word follows the last word above it, as in the other
    /// words.
    fn goes_on(&self, line: usize, other: &Words) -> bool {
        let [start, _, end] = self.lines[line];
        let find = |at: usize| other.find(&self.words[at]);
        0 < start && start + 1 == end && other.has(find(start - 1), find(start))
    }

    /// Returns true if the words are at most one order, or few words without an order.
    fn is_short(&self, first: usize, end: usize) -> bool {
        let words = &self.words[first..end];
        let is_order =
            |word: &String| (self.habits.is_like_order)(word) && !self.addresses.contains(word);
        words.len() < 2 || words.len() <= SHORT && !words.iter().any(is_order)
    }
}

/// Returns the mail addresses in a text, as words of a line have them.
fn addresses(text: &str) -> impl Iterator<Item = String> {
    let is_address = |chunk: &&str| {
        chunk.split_once('@').is_some_and(|(name, host)| {
            !name.is_empty() && host.trim_matches('.').contains('.') && !host.contains('@')
        })
    };
    let word = |chunk: &str| chunk.chars().filter(|c| c.is_alphanumeric()).collect();
    text.split_whitespace().filter(is_address).map(word)
}

/// Stands between two texts. No line of a quotation has it.
const END: char = '\n';

/// The most places at which a line is looked for. A text that repeats itself has many.
const MOST_PLACES: usize = 64;

/// The least bytes of what is looked for at no more places than that: to find less costs little.
const SHORTEST: usize = 4;

/// The signs inside a word behind which a program may break it, or a tag of a forum may end,
/// which is no part of what stands behind it.
const MAY_BREAK: [char; 4] = ['-', '.', '/', ']'];

/// The least and the most words of a part of a line that is looked for alone.
const PART: usize = 3;
const LONGEST_PART: usize = 24;

/// The most words that somebody may have added to a row of a list: the number of an order,
/// the order, and a remark.
const MOST_ADDED: usize = 8;

/// A mail that was sent, as the words that a program may quote.
#[derive(Clone, Debug)]
pub struct MailText {
    /// The letters and digits of the texts.
    signs: String,
    /// The words with their signs, a blank around each.
    words: String,
    /// True for each byte of `signs` at which a line may begin or end, and for the end.
    begins: Vec<bool>,
    /// Its lines as it was sent, with a blank between two words.
    lines: HashSet<String>,
    /// The hash at its foot.
    pub(super) hash: String,
    /// The lines that it asks to send, or asks about.
    pub(super) asked: Vec<String>,
    /// The lines that other questions were asked about or asked for, and this one was not.
    pub(super) elsewhere: Vec<String>,
    /// The words of somebody else that it carries.
    carried: Option<Box<MailText>>,
    /// The letters and digits of each row of its list.
    rows: HashSet<String>,
    /// Texts that it has in common with other mails.
    common: Option<&'static MailText>,
    /// The habits of the program that has sent it.
    habits: Habits,
}

impl MailText {
    /// Creates a mail with this text in its foot, as [`Foot::hash`] returns it, by a program
    /// with these habits.
    ///
    /// [`Foot::hash`]: crate::quoting::habits::Foot::hash
    #[must_use]
    pub fn new(hash: impl Into<String>, habits: &Habits) -> MailText {
        MailText {
            signs: String::new(),
            words: String::new(),
            begins: vec![true],
            lines: HashSet::new(),
            hash: hash.into(),
            asked: Vec::new(),
            elsewhere: Vec::new(),
            carried: None,
            rows: HashSet::new(),
            common: None,
            habits: *habits,
        }
    }

    /// Adds texts that other mails have, too.
    #[must_use]
    pub fn with_common(self, common: &'static MailText) -> MailText {
        MailText {
            common: Some(common),
            ..self
        }
    }

    /// Adds words of somebody else that it carries. The rows of its own list are its own, whoever
    /// repeats them.
    #[must_use]
    pub fn carrying(mut self, words: &str, list: &str) -> MailText {
        let rows = line::split(list);
        self.rows = rows.iter().map(|row| line::of_line(row).concat()).collect();
        self.carried = Some(Box::new(MailText::new("", &self.habits).with(words)));
        self.with(words)
    }

    /// Returns true if it carries the words of a line, which then say nothing of the writer.
    pub(super) fn carries(&self, line: &Line<'_>) -> bool {
        self.carried.as_ref().is_some_and(|carried| {
            let signs = line::of_line(line).concat();
            !signs.is_empty() && !self.rows.contains(&signs) && carried.has_signs(&signs)
        })
    }

    /// Adds a text that a program may quote on its own.
    #[must_use]
    pub fn with(mut self, text: &str) -> MailText {
        for word in text.split_whitespace() {
            self.words.push_str(word);
            self.words.push(' ');
        }
        self.words.push(END);
        self.words.push(' ');
        for line in line::split(text) {
            self.lines.insert(spaced(line.text));
            for c in line.plain().chars() {
                if c.is_alphanumeric() {
                    self.signs.push(c);
                    self.begins.resize(self.signs.len() + 1, false);
                } else if MAY_BREAK.contains(&c) || c.is_whitespace() {
                    self.begins[self.signs.len()] = true;
                }
            }
            self.begins[self.signs.len()] = true;
        }
        self.signs.push(END);
        self.begins.resize(self.signs.len() + 1, true);
        self
    }

    /// Returns true if a line of the mail ends where this one does, and nobody else has had its
    /// words: what stands below is not the rest of it, however a program wraps lines.
    pub(super) fn ends(&self, line: &Line<'_>) -> bool {
        let signs = line::of_line(line).concat();
        let is_carried =
            || (self.carried.as_ref()).is_some_and(|carried| carried.has_signs(&signs));
        !signs.is_empty() && self.has_line(line) && !is_carried()
    }

    /// Returns true if the mail was sent with this line as a whole.
    pub(super) fn has_line(&self, line: &Line<'_>) -> bool {
        self.lines.contains(&spaced(line.text))
    }

    /// Sets the lines that it asks to send, or asks about.
    #[must_use]
    pub fn asking(self, asked: Vec<String>) -> MailText {
        MailText { asked, ..self }
    }

    /// Sets the lines that other questions asked about or asked for.
    #[must_use]
    pub fn beside(mut self, mut lines: Vec<String>) -> MailText {
        lines.retain(|line| !self.asked.contains(line));
        self.elsewhere = lines;
        self
    }

    /// Returns true if the mail has the words of a line with all their signs.
    pub(super) fn has_exactly(&self, line: &str) -> bool {
        self.words.contains(&format!(" {} ", spaced(line)))
    }

    /// Returns true if the mail has the words of a line, and not only many others.
    pub(super) fn has_itself(&self, line: &Line<'_>) -> bool {
        self.has_signs(&line::of_line(line).concat())
    }

    /// Returns true if a word may be an order to the program that has sent it.
    pub(super) fn is_like_order(&self, word: &str) -> bool {
        (self.habits.is_like_order)(word)
    }

    /// Returns true if a line begins as one of the mail with an order in it.
    pub(super) fn has_row_of(&self, line: &Line<'_>) -> bool {
        let words = line::of_line(line);
        let first = words.iter().position(|word| self.is_like_order(word));
        first.is_some_and(|first| self.has_signs(&words[..=first].concat()))
    }

    /// Returns how a line belongs to the mail.
    pub(super) fn find(&self, line: &Line<'_>) -> Found {
        let words = line::of_line(line);
        if words.is_empty() {
            return Found::Blank;
        }
        if words.len() > 1 && self.has_signs(&words.concat()) {
            return Found::Whole;
        }
        if self.has(&words) || self.has_parts(&words) {
            return Found::Usual;
        }
        let least = words.len().saturating_sub(MOST_ADDED);
        let is_extended = |kept: usize| {
            let added = match &words[kept..] {
                [number, added @ ..] if line::is_number(number) => added,
                added => added,
            };
            added.first().is_some_and(|word| self.is_like_order(word))
                && (kept == 0 || self.has(&words[..kept]))
        };
        if (least..words.len()).any(is_extended) {
            return Found::Extended;
        }
        Found::No
    }

    /// Returns true if the words are some parts of the texts, as where a template had
    /// other words between two values, or a program has joined lines.
    fn has_parts(&self, words: &[String]) -> bool {
        let mut rest = words;
        while !rest.is_empty() {
            let most = rest.len().min(LONGEST_PART);
            let Some(count) = (PART..=most).rev().find(|count| self.has(&rest[..*count])) else {
                return false;
            };
            rest = &rest[count..];
        }
        true
    }

    /// Returns true if the words stand one behind the other in a text.
    fn has(&self, words: &[String]) -> bool {
        self.has_signs(&words.concat()) || self.common.is_some_and(|common| common.has(words))
    }

    fn has_signs(&self, wanted: &str) -> bool {
        let mut from = 0;
        // A letter or two stand within words, too, before they stand alone as in a diagram.
        let most = if wanted.len() < SHORTEST {
            usize::MAX
        } else {
            MOST_PLACES
        };
        for _ in 0..most {
            let Some(at) = self.signs[from..].find(wanted).map(|at| from + at) else {
                return false;
            };
            if self.begins[at] && self.begins[at + wanted.len()] {
                return true;
            }
            // A line begins at the next place that counts, whatever repeats itself before it.
            let next = self.begins[at + 1..].iter().position(|begins| *begins);
            let Some(next) = next.map(|next| at + 1 + next) else {
                return false;
            };
            from = next;
        }
        false
    }
}

/// The way in which a line belongs to a mail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// It has no words.
    Blank,
    /// The mail has its words in this order.
    Whole,
    /// It is a word of the mail, or has only words that many mails have.
    Usual,
    /// It is a row of the mail to which orders were added, or only such orders.
    Extended,
    /// It has other words.
    No,
}

/// Samples of what this pass reacts to.
pub(super) const CARRIED_TOKENS: &[&str] = &["Ben writes:", "> > "];

/// Marks the lines that are quoted deeper than a foot of our own below them. What stands
/// above a head is no part of the mail below it.
pub(super) fn mark_carried(lines: &mut [Line<'_>], habits: &Habits) {
    let mut least: Option<usize> = None;
    // The depth of the next line with words.
    let mut below = 0;
    for at in (0..lines.len()).rev() {
        let depth = lines[at].author.depth();
        if least.is_some_and(|least| least < depth) {
            lines[at].author = Author::Carried;
            below = depth;
            continue;
        }
        if !lines[at].is_blank() {
            if below <= depth && is_head(lines[at].text) {
                least = None;
            }
            below = depth;
        }
        let foot = (habits.foot)(lines, at);
        if foot.is_some_and(|foot| foot.hash.is_some()) {
            least = Some(least.map_or(depth, |least| least.min(depth)));
        }
    }
}

/// Returns true if a line begins a quotation, or is part of the head of one.
fn is_head(text: &str) -> bool {
    header_block::opens(text)
        || header_block::names_sender(text)
        || attribution::is_attribution(text) && attribution::has_source(text)
}

/// Returns true for an attribution in any language, with an address or a time. Our mails have none of
/// their own.
pub(super) fn has_source_of_quotation(line: &Line<'_>) -> bool {
    let ends = || line.text.trim_end().ends_with([':', '：']);
    names_source(line.text) && (ends() || attribution::is_attribution(line.text))
}

/// Returns true for a line with an address, a year or a time, as of an attribution. No move has any.
#[must_use]
pub fn names_source(line: &str) -> bool {
    line.contains('@') || header_block::has_year(line) || header_block::has_clock(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quoting::helpdesk::{HELPDESK, pasted};
    use crate::quoting::line::Author;

    /// Went wrong: an attribution with a player named like a move was shown in a question, and played
    /// when the same letter came again.
    #[test]
    fn a_line_with_its_source_is_not_asked_for() {
        let asked = [
            "On Fri, Nov 20, 2026 at 3:00 AM R>f4",
            "Anna <anna@example.org> R>f4",
            "20/11/26 03:00 R>f4",
            "12. R>f4 e4:d5",
        ];
        let sent = Sent::nothing().asked(&asked.map(str::to_owned));
        let lines = asked.join("\n");
        let heard = line::split(&lines)
            .iter()
            .map(|line| sent.has_asked(line))
            .collect::<Vec<_>>();
        assert_eq!(heard, [false, false, false, true]);
    }

    fn found(text: &str) -> Found {
        let mail = MailText::new("0123", &HELPDESK)
            .with("Anna has played 1. P>e3.\nIt is your turn, half-heartedly.")
            .with("White       Black\n\n1.  P>e3    n>g5\n2.  B>f4");
        let lines = line::split(text);
        lines.first().map_or(Found::Blank, |line| mail.find(line))
    }

    #[test]
    fn a_line_is_of_the_mail_wherever_it_is_broken() {
        for text in [
            "Anna has played 1. P>e3. It is your turn,",
            "played 1.",
            "turn, half\u{2011}heartedly.",
            "your turn, half-",
            "\u{2022} 1. P&gt;e3",
            "White Black 1. P>e3 n>g5 2.",
            "2. B>f4",
        ] {
            assert_eq!(found(text), Found::Whole, "{text}");
        }
        for text in ["2. B>f4 n-e6", "3. K>e1", "n-e6", "2. B>f4 n-e6 (at last!)"] {
            assert_eq!(found(text), Found::Extended, "{text}");
        }
        for text in ["played", "heartedly"] {
            assert_eq!(found(text), Found::Usual, "{text}");
        }
        for text in ["- - -", ""] {
            assert_eq!(found(text), Found::Blank, "{text}");
        }
    }

    /// Went wrong: `- - r - -` was not found in a long mail, and its reader was asked.
    #[test]
    fn a_letter_that_stands_alone_is_found_behind_many_within_words() {
        let words = "river ".repeat(200);
        let mail = MailText::new("0123", &HELPDESK).with(&format!("{words}\n- - r - -\n"));
        for (text, is_found) in [("- - r - -", true), ("- - v - -", false)] {
            let lines = line::split(text);
            assert_eq!(mail.find(&lines[0]) != Found::No, is_found, "{text}");
        }
    }

    /// Went wrong: the last line of a note that repeats itself was looked for at its first signs.
    #[test]
    fn a_line_that_repeats_itself_is_found() {
        let words = ["w".repeat(200), "w".repeat(100) + "x"].join(" ");
        let mail = MailText::new("0123", &HELPDESK).with(&words);
        assert!(mail.has_signs(&("w".repeat(100) + "x")));
        assert!(mail.has_signs(&"w".repeat(200)));
        // It begins in the middle of a word.
        assert!(!mail.has_signs(&("w".repeat(99) + "x")));
        // Behind 100 places at which no word ends.
        let words = format!("{} {}", "w".repeat(200), "w".repeat(100));
        let mail = MailText::new("0123", &HELPDESK).with(&words);
        assert!(mail.has_signs(&"w".repeat(100)));
    }

    #[test]
    fn other_words_are_not_of_the_mail() {
        for text in [
            "Anna played 1. P>e3.",
            "e3",
            "resign",
            "It is your turn. resign",
            "your turn, half-heartedly. White",
            "a P>e3 b",
            "2026-11-20 3:00 GMT+00:00 Ben:",
        ] {
            let found = found(text);
            assert!(
                found == Found::No || text == "e3" && found == Found::Extended,
                "{text}: {found:?}"
            );
        }
    }

    #[test]
    fn what_our_mail_quotes_is_carried() {
        let foot = "Ticket m, code 0123456789abcdef.\n";
        let mail = format!(
            "Ben writes:\n\n> 1. P>e3\n> {}\n1. N>c3\n\n{foot}",
            foot.replace('\n', "\n> ")
        );
        for mark in ["", "> ", "> > "] {
            let marked = |line: &str| format!("{mark}{line}\n");
            let text: String = mail.lines().map(marked).collect();
            let lines = pasted(&text);
            let author = |text: &str| {
                let line = lines.iter().find(|line| line.text.trim() == text);
                line.map(|line| line.author)
            };
            assert_eq!(author("1. P>e3"), Some(Author::Carried), "{mark}");
            assert_ne!(author("1. N>c3"), Some(Author::Carried), "{mark}");
        }
        // Without a foot nothing tells whose mail it is.
        let lines = pasted("Ben writes:\n> 1. P>e3\n");
        assert_eq!(lines[1].author, Author::Quoted(1));
    }
}
