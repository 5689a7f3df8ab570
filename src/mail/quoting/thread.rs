//! Whose words stand below a quotation: what a letter answers tells.
//!
//! Passes that look at a text alone cannot tell where a quotation ends, because the
//! person who is quoted has chosen its words. So nothing in a quotation ends it. What
//! stands above the first sign of anybody else's words is the writer's. What stands
//! below counts only if everything between is a mail of ours, which the program knows
//! to the word.

use std::cell::LazyCell;
use std::ops::Range;

use crate::quoting::attribution::is_attribution;
use crate::quoting::attribution::tells_writing;
use crate::quoting::habits::Habits;
use crate::quoting::header_block::is_field;
use crate::quoting::line::{Author, Line, Typed, is_blank};
use crate::quoting::our_mail::{
    MOST_ABOVE, MOST_OPENING, addresses, doubt_added, give, has_foot, has_hash, introduces_another,
    is_head_of_ours, is_of, is_ours, is_wrapped_attribution, opens, repeated, take_first_of_head,
    take_head, typed_into, whole,
};
use crate::quoting::sent::{Found, MailText};
use crate::quoting::{boilerplate, enclosed, header_block, line, quotation, wrapped_line};

/// The message that a letter answers directly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answers {
    /// A mail of ours to its writer.
    OurMail,
    /// A letter of its writer's, which may quote anybody.
    OwnLetter,
    /// Somebody else's message.
    Elsewhere,
    /// None, as far as it says.
    Nothing,
}

/// What a letter answers, as far as it tells whose words are in it.
pub struct Thread<'t> {
    /// The message that the letter answers directly: `ReceivedMessage::parent` tells which.
    pub answers: Answers,
    /// True if a relay may have given the mail that it answers another id than ours.
    pub may_be_rewritten: bool,
    /// Makes the mails that it may quote. They are made only if something stands
    /// below a quotation.
    pub mails: &'t dyn Fn() -> Vec<MailText>,
    /// Our display name, whole, and our addresses, in small letters.
    pub ours: &'t [String],
    /// The same for whoever may have sent the mail that it answers, us included: a thread may
    /// have changed hands. They count where quote marks show what is quoted.
    pub senders: &'t [String],
    /// Each word of the display names of the other people in the thread, in small letters.
    pub others: &'t [String],
    /// Returns true if a line is an order, and so says nothing of who wrote what follows.
    pub is_order: &'t dyn Fn(&str) -> bool,
    /// The habits of our program.
    pub habits: &'t Habits,
}

impl Thread<'_> {
    fn is_ours(&self) -> bool {
        self.answers == Answers::OurMail
    }

    fn is_own_letter(&self) -> bool {
        self.answers == Answers::OwnLetter
    }

    fn is_elsewhere(&self) -> bool {
        self.answers == Answers::Elsewhere
    }
}

/// Samples of what this pass reacts to.
pub(super) const TOKENS: &[&str] = &[
    "posted by Ben on Fri, 20 Nov 2026 03:00",
    "<<<<< Ben >>>>>",
    "% Ben",
    "Ben:",
    "[quote=Ben]",
];

/// The fewest cells of a row of a drawn table.
const CELLS: usize = 6;

/// The most characters of the initials in a quote mark.
const LONGEST_INITIALS: usize = 6;

/// The most lines of an attribution above quote marks.
const MOST_LINES: usize = 4;

/// The least lines of a mail into which an order can be filled, and of one that is quoted
/// without marks. The rows of its list and its foot anybody can write.
const LEAST_WHOLE: usize = 6;

/// The same, where an attribution names somebody else: our address may have changed.
const LEAST_NAMED: usize = 7;

/// Takes the lines below a quotation from the writer, unless the quotation is a mail
/// of ours. Below a quotation without marks they may be quoted, too: their author is
/// [`Author::Quoted`] with depth 0. Below any other it is unclear.
///
/// A quotation without marks is known by its foot, with the hash of that mail, and by six
/// lines of it at least. Notes which lines are quoted from the mail that the letter answers.
/// Returns true if the first quotation is a mail of ours.
///
/// # Examples
///
/// The lines are classified first, then bounded, and then the writer's own are taken.
///
/// ```
/// use parapost_mail::quoting::classify;
/// use parapost_mail::quoting::habits::{Foot, Habits};
/// use parapost_mail::quoting::own_words;
/// use parapost_mail::quoting::sent::{MailText, Sent};
/// use parapost_mail::quoting::thread::{Answers, Thread, bound};
///
/// /// A helpdesk, whose mails end with `Ticket 4f2a.`
/// static HELPDESK: Habits = Habits {
///     foot: |lines, at| {
///         let ticket = lines[at].text.trim().strip_prefix("Ticket ")?;
///         let hash = ticket.strip_suffix('.').map(str::to_owned);
///         Some(Foot { hash, end: at + 1 })
///     },
///     ..Habits::NONE
/// };
///
/// let mail = "Your order has left our house.\nShall we send more of it?\nTicket 4f2a.\n";
/// let quoted = "> Your order has left our house.\n> Shall we send more of it?\n> Ticket 4f2a.\n";
/// let reply = format!("Desk <desk@example.com> wrote:\n{quoted}\nTwo more, please.\n");
///
/// let own = |answers: Answers| {
///     let mut lines = classify(&reply, &Sent::nothing(), &HELPDESK);
///     let thread = Thread {
///         answers,
///         may_be_rewritten: false,
///         mails: &|| vec![MailText::new("4f2a", &HELPDESK).with(mail)],
///         ours: &["desk@example.com".to_owned()],
///         senders: &["desk@example.com".to_owned()],
///         others: &[],
///         is_order: &|_| false,
///         habits: &HELPDESK,
///     };
///     bound(&mut lines, &thread);
///     own_words(&lines)
/// };
/// assert_eq!(own(Answers::OurMail), "Two more, please.\n");
/// // In an answer to anybody else, who is quoted may have written what stands below.
/// assert_eq!(own(Answers::Elsewhere), "");
/// ```
pub fn bound(lines: &mut [Line<'_>], thread: &Thread<'_>) -> bool {
    let reader = Reader {
        thread,
        mails: LazyCell::new(thread.mails),
    };
    // This comes first, so that no line of such a text limits a quotation or counts as the
    // writer's.
    enclosed::mark(lines);
    let quotes_ours = judge(lines, &reader);
    let marked = lines.iter().filter(|line| has_mark(line));
    let width = wrapped_line::width(marked);
    let mut is_below_mark = false;
    for at in 0..lines.len() {
        let line = &lines[at];
        is_below_mark = has_mark(line) || is_below_mark && !begins_unmarked(line, thread.habits);
        let is_quoted = matches!(line.author, Author::Quoted(1..)) && !has_mark(line);
        // The end of a wrapped line, unless we know that the line ends above.
        let is_end = |above: &Line<'_>| wrapped_line::goes_on(above.source, line.text, width);
        let is_among_marks = is_below_mark
            && is_quoted
            && (at == 0 || !is_end(&lines[at - 1]) || reader.has(&lines[at - 1]));
        if is_among_marks && lines[at].typed == Typed::No {
            lines[at].typed = Typed::AmongMarks;
        }
    }
    if !thread.is_elsewhere() {
        doubt_between(lines);
    }
    quotes_ours
}

/// Doubts what is quoted without marks between lines of our mail.
fn doubt_between(lines: &mut [Line<'_>]) {
    let is_ours = |line: &Line<'_>| line.author == Author::Program;
    let first = lines.iter().position(is_ours);
    let last = lines.iter().rposition(is_ours);
    let (Some(first), Some(last)) = (first, last) else {
        return;
    };
    for line in &mut lines[first..last] {
        let is_quoted = matches!(line.author, Author::Quoted(1..)) && !has_mark(line);
        // Of a mail that is known, it has been found out.
        if is_quoted && !line.is_of_parent {
            line.typed = Typed::Added;
        }
    }
}

/// Judges each part with the words of somebody else. Returns true if the first is a mail of ours.
fn judge(lines: &mut [Line<'_>], reader: &Reader<'_>) -> bool {
    let thread = reader.thread;
    if thread.is_elsewhere() {
        doubt_salutation(lines);
    }
    if thread.is_ours() {
        give_whole(lines, reader);
    }
    let (mut at, mut quotes_ours) = (0, None);
    while at < lines.len() {
        let Some(part) = next_part(lines, at, thread) else {
            break;
        };
        if thread.is_ours() {
            take_first_of_head(lines, part.sign, thread.is_order, thread.habits);
        }
        let (part, mail) = reader.find_any(lines, part);
        quotes_ours.get_or_insert(mail.is_some());
        if let Some((mail, typed)) = mail.as_ref().filter(|_| thread.is_ours()) {
            let least = if is_from_us(&lines[..part.start], thread) {
                LEAST_WHOLE
            } else {
                LEAST_NAMED
            };
            let (words, mail) = (&mut lines[part.start..part.end], &reader.mails[*mail]);
            if !part.is_marked {
                take_head(words, mail);
                doubt_added(words, mail, thread.is_order);
            }
            let may_be_filled = whole(words, mail) >= least;
            for line in words.iter_mut() {
                let is_carried = mail.carries(line);
                line.is_of_parent = may_be_filled && !is_carried;
                // Whoever wrote the words that the mail carries, it is asked about.
                let is_near = matches!(line.author, Author::Quoted(1) | Author::Program);
                if is_carried && is_near && may_be_order(line, thread) {
                    (line.author, line.typed) = (Author::Quoted(1), Typed::Added);
                }
                // The order that was added to a row may stand in another mail of ours.
                if line.author == Author::Program && mail.find(line) == Found::Extended {
                    line.author = Author::Quoted(1);
                }
            }
            give(words, typed);
        } else if mail.is_some() && !thread.is_ours() {
            // Whoever has sent a copy of our mail may have added to it, and a name in the head
            // above it is the sender's choice.
            take(&mut lines[part.end..], part.is_unmarked, thread);
            break;
        } else if mail.is_none() && part.is_end {
            let is_command = |line: &Line<'_>| (thread.is_order)(line.text);
            let head = header_block::first(lines, part.sign, is_command);
            let orders = (head..part.sign).filter(|at| may_be_order(&lines[*at], thread));
            for at in orders.collect::<Vec<_>>() {
                take(&mut lines[at..=at], part.is_unmarked, thread);
            }
            let foot = reader.unnamed_foot(lines, part.sign);
            take(&mut lines[part.sign..], part.is_unmarked, thread);
            if !thread.is_ours() {
                doubt_greeting(lines, head, part.sign);
            }
            for line in &mut lines[foot] {
                line.author = Author::Quoted(1);
            }
            break;
        }
        at = part.end.max(at + 1);
    }
    quotes_ours == Some(true)
}

/// Gives the writer what stands among marks as if a program had wrapped the line above, where
/// that is a whole line of the mail that the letter answers, and another of its lines follows.
fn give_whole(lines: &mut [Line<'_>], reader: &Reader<'_>) {
    for at in 1..lines.len() {
        let (above, line) = (&lines[at - 1], &lines[at]);
        let may_be_end = matches!(line.author, Author::Quoted(1..) | Author::Unclear)
            && !has_mark(line)
            && !line.is_blank()
            && !line.is_doubtful
            && has_mark(above)
            && !above.is_blank();
        let below = lines[at + 1..].iter().find(|line| !line.is_blank());
        // A line of one word is enough if it is a line of the mail.
        let is_of_mail = |below: &Line<'_>| {
            has_mark(below)
                && (reader.has(below) || reader.mails.iter().any(|mail| mail.has_line(below)))
        };
        if may_be_end
            && below.is_some_and(is_of_mail)
            && reader.mails.iter().any(|mail| mail.ends(above))
        {
            lines[at].author = Author::Own;
        }
    }
}

/// Doubts one of the first lines that ends in a comma: some programs greet the person who is
/// answered by a name alone, which that person has chosen.
fn doubt_salutation(lines: &mut [Line<'_>]) {
    let first = lines.iter_mut().filter(|line| !line.is_blank());
    for line in first.take(MOST_GREETING) {
        if line.author == Author::Own && line.text.trim_end().ends_with([',', '，']) {
            line.author = Author::Unclear;
        }
    }
}

/// Doubts the first lines if they greet, with any sign, whom the head below names, too.
fn doubt_greeting(lines: &mut [Line<'_>], head: usize, sign: usize) {
    let texts: Vec<&str> = lines[head..=sign].iter().map(|line| line.text).collect();
    let named = texts.join(" ").to_lowercase();
    let first = lines[..head].iter_mut().filter(|line| !line.is_blank());
    for line in first.take(MOST_GREETING) {
        let text = line.text.trim().to_lowercase();
        let words = text.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '#' && c != '+');
        let is_name = words.len() < text.len() && !words.is_empty() && named.contains(words);
        if is_name && line.author == Author::Own {
            line.author = Author::Unclear;
        }
    }
}

/// The most lines of a greeting.
const MOST_GREETING: usize = 2;

/// Takes lines from the writer. A signature below a quotation without marks may end
/// there as well. What is quoted in an answer to somebody else is that person's, even a
/// list or a foot of ours, and no unclear line corrects what stands above.
fn take(lines: &mut [Line<'_>], mut is_unmarked: bool, thread: &Thread<'_>) {
    for line in lines {
        is_unmarked |= begins_unmarked(line, thread.habits);
        let doubtful = if is_unmarked || thread.is_elsewhere() {
            Author::Quoted(0)
        } else {
            Author::Unclear
        };
        match line.author {
            Author::Own | Author::Unclear => line.author = doubtful,
            // Our help has the words of most orders, too.
            Author::Program if !thread.is_elsewhere() && (thread.is_order)(line.text) => {
                line.author = doubtful;
            }
            Author::Signature | Author::Boilerplate if is_unmarked => line.author = doubtful,
            Author::Quoted(1..) | Author::Program if thread.is_elsewhere() => {
                line.author = Author::Carried;
            }
            _ => {}
        }
    }
}

/// Returns true if a line may be an order.
fn may_be_order(line: &Line<'_>, thread: &Thread<'_>) -> bool {
    let words = line::of_line(line);
    let is_like_order = |word: &String| (thread.habits.is_like_order)(word);
    (thread.is_order)(line.text) || words.iter().any(is_like_order)
}

/// Returns true if a line begins a quotation without marks.
fn begins_unmarked(line: &Line<'_>, habits: &Habits) -> bool {
    let begins =
        || header_block::opens(line.text) || opens(line.text, habits) || is_field(line.text);
    matches!(line.author, Author::Quoted(_)) && !has_mark(line) && begins()
}

/// Lines that show that somebody else's words stand in the text.
struct Part {
    /// The first sign of them: an attribution above quote marks is no part of the rest.
    sign: usize,
    /// The first line, and the line behind the last.
    start: usize,
    end: usize,
    /// True if each of its lines has a quote mark, or an indentation.
    is_marked: bool,
    /// True if it has quoted lines without quote marks.
    is_unmarked: bool,
    /// True if what stands below is not the writer's, should the part be unknown.
    is_end: bool,
}

impl Part {
    /// Creates a part of which nothing is known to be quoted, with marks or without.
    fn plain(sign: usize, start: usize, end: usize) -> Part {
        Part {
            sign,
            start,
            end,
            is_marked: false,
            is_unmarked: false,
            is_end: true,
        }
    }
}

/// Returns the next part from `at` on with the words of somebody else.
fn next_part(lines: &[Line<'_>], at: usize, thread: &Thread<'_>) -> Option<Part> {
    // Whoever is quoted has chosen the name before a colon. A salutation comes first.
    let is_first = |at: usize| lines[..at].iter().all(Line::is_blank);
    let is_sign = |at: &usize| {
        let line = &lines[*at];
        let is_sign = || {
            if thread.is_ours() {
                let names = line.text.trim().trim_matches(['<', '>']).to_lowercase();
                header_block::is_dated_at(lines, *at)
                    || header_block::is_address(line.text) && !is_ours(&names, thread.ours)
            } else {
                is_sign(lines, *at, thread.habits)
                    || (thread.is_elsewhere() || thread.is_own_letter())
                        && line.text.trim_end().ends_with([':', '：'])
                    || tells_source(line.text, thread.others)
                        && !(is_first(*at) && is_salutation(line.text))
                        && !(thread.is_order)(line.text)
            }
        };
        let is_theirs = || !is_own(line) || is_sign();
        // Parts of a mail that were taken out stood there, with whatever says who wrote it.
        let is_gap = || line.is_doubtful && !thread.is_ours();
        if line.is_blank() {
            return is_gap() || has_mark(line) && thread.is_elsewhere();
        }
        !(thread.habits.is_of_form)(lines, *at) && is_theirs()
    };
    let is_start = |at: &usize| is_sign(at) || opens_rule(lines, *at);
    let start = (at..lines.len()).find(is_start)?;
    if thread.is_ours()
        && opens_rule(lines, start)
        && let Some(part) = below_rule(lines, start)
    {
        return Some(part);
    }
    // An attribution above quote marks is no part of what it introduces.
    let sign = start;
    let start = introduced(lines, sign, thread).unwrap_or(sign);
    // What says who wrote may take several lines above words that are known.
    let below = (start..lines.len()).filter(|at| !lines[*at].is_blank());
    let known = below.take(MOST_LINES).find(|at| !is_own(&lines[*at]));
    let known = known.filter(|_| thread.is_ours()).unwrap_or(start);
    Some(part(lines, [sign, start, known], thread))
}

/// Makes a part of its first sign, its first line and its first known line.
fn part(lines: &[Line<'_>], [sign, start, known]: [usize; 3], thread: &Thread<'_>) -> Part {
    let end = known + length(&lines[known..], thread.habits);
    let part = &lines[start..end];
    let is_quoted = |line: &&Line<'_>| matches!(line.author, Author::Quoted(_));
    let is_marked = is_marked(part);
    let opens_own = is_own(&part[0]) && !opens_rule(lines, start);
    Part {
        sign,
        start,
        end,
        is_marked,
        is_unmarked: !is_marked && part.iter().any(|line| is_quoted(&line)),
        // Known words without any quotation end nothing in an answer to us.
        is_end: !thread.is_ours() || opens_own || part.iter().any(|line| is_quoted(&line)),
    }
}

/// Returns the part behind quote marks below a head that other passes have taken for that of
/// a quotation without marks: a separator, a header block, an attribution. The head must
/// be of a mail of ours, and no line in it an order.
fn below_head(lines: &[Line<'_>], whole: &Part, thread: &Thread<'_>) -> Option<Part> {
    let is_head = |at: &usize| {
        let line = &lines[*at];
        let text = line.text.trim();
        let names_source = || {
            header_block::opens(text)
                || opens(text, thread.habits)
                || text.starts_with("--") && text.ends_with("--")
        };
        line.is_blank() || is_field(text) || names_source() && !(thread.is_order)(text)
    };
    let most = (whole.start + MOST_OPENING).min(whole.end);
    let first = (whole.start..most).find(|at| has_mark(&lines[*at]))?;
    let head = &lines[whole.start..first];
    let is_of_ours = (whole.start..first).all(|at| is_head(&at))
        && is_head_of_ours(head, [thread.senders, thread.others], thread.habits)
        && first > whole.start;
    is_of_ours.then(|| part(lines, [whole.sign, first, first], thread))
}

/// Returns the part behind quote marks below an attribution of ours that is wrapped, of which other
/// passes have taken some lines for those of a quotation without marks. No line of it may be
/// an order.
fn below_wrapped(lines: &[Line<'_>], whole: &Part, thread: &Thread<'_>) -> Option<Part> {
    let most = (whole.start + MOST_OPENING).min(whole.end);
    let first = (whole.start..most).find(|at| has_mark(&lines[*at]))?;
    let may_be_order = |line: &Line<'_>| {
        // A name before an `@` may look like one.
        (thread.is_order)(line.text) || !line.text.contains('@') && may_be_order(line, thread)
    };
    // One that has all on its line is not wrapped: what stands above it is the writer's.
    let last = lines[..first].iter().rev().find(|line| !line.is_blank())?;
    let last = last.text.trim();
    if is_attribution(last) && last.contains('@') && !last.starts_with('<') {
        return None;
    }
    let is_head = |begin: &usize| {
        let head = &lines[*begin..first];
        is_wrapped_attribution(head) && !head.iter().any(may_be_order)
    };
    let begin = (first.saturating_sub(MOST_OPENING)..=whole.start)
        .rev()
        .find(is_head)?;
    let people = [thread.senders, thread.others];
    let is_ours = !introduces_another(&lines[..first], people, thread.habits);
    is_ours.then(|| part(lines, [begin, first, first], thread))
}

/// Returns the part below a head that has its date on a line of its own, and its fields with
/// blank lines between them, as Lotus Notes writes it.
fn below_date(lines: &[Line<'_>], whole: &Part, thread: &Thread<'_>) -> Option<Part> {
    let date = &lines[whole.start];
    let sender = whole.start.checked_sub(1)?;
    let is_date = header_block::is_dated(date.text) && date.text.split_whitespace().count() < 4;
    if !is_own(date) || !is_date || lines[sender].is_blank() {
        return None;
    }
    let most = (sender + MOST_OPENING).min(lines.len());
    let is_known = |at: &usize| !lines[*at].is_blank() && !is_own(&lines[*at]);
    let known = (whole.start..most).find(is_known)?;
    let mut head = lines[sender..known].iter();
    let is_named = is_own(&lines[sender]) && !head.any(|line| (thread.is_order)(line.text));
    // Nothing says where the mail ends but its foot.
    let foot = (known..lines.len()).find_map(|at| (thread.habits.foot)(lines, at))?;
    is_named.then_some(Part::plain(whole.sign, sender, foot.end))
}

/// Returns true if the first line has a quote mark, since the passes before have found out
/// whether those below belong to it, or if each line is indented as far as the first.
fn is_marked(part: &[Line<'_>]) -> bool {
    let indent = |line: &Line<'_>| line.source.len() - line.source.trim_start().len();
    let least = part.first().map_or(0, indent);
    let mut words = part.iter().filter(|line| !line.is_blank());
    part.first().is_some_and(has_mark) || least > 0 && words.all(|line| indent(line) >= least)
}

/// Returns the line with a quote mark below the attribution that begins at `at`. In a
/// letter to somebody else it has two lines at most, so that no line stands between the
/// sign of somebody else and what introduces the marks.
fn introduced(lines: &[Line<'_>], at: usize, thread: &Thread<'_>) -> Option<usize> {
    let most = if thread.is_ours() { MOST_LINES } else { 2 };
    let mut words = (at..lines.len()).filter(|at| !lines[*at].is_blank());
    let mut above = words.next().filter(|at| is_own(&lines[*at]))?;
    for next in words.take(most) {
        if has_mark(&lines[next]) {
            return opens(lines[above].text, thread.habits).then_some(next);
        }
        if !is_own(&lines[next]) {
            return None;
        }
        above = next;
    }
    None
}

/// Returns the number of lines at the start that belong together: words of somebody
/// else, with unclear ones between them unless quote marks tell whose those are. A
/// quotation without marks is no part of one with them.
fn length(lines: &[Line<'_>], habits: &Habits) -> usize {
    let is_marked = lines.first().is_some_and(has_mark);
    let is_inside = |line: &&Line<'_>| {
        let may_belong = !(is_own(line) || is_marked && begins_unmarked(line, habits));
        line.is_blank() || may_belong || line.author == Author::Unclear && !is_marked
    };
    let count = lines.iter().take_while(is_inside).count();
    let last = lines[..count].iter().rposition(|line| !is_own(line));
    last.map_or(1, |last| last + 1)
}

/// Returns the part below a rule where all but its first line is unclear.
fn below_rule(lines: &[Line<'_>], start: usize) -> Option<Part> {
    let first = (start + 1..lines.len()).find(|at| !lines[*at].is_blank())?;
    let is_inside =
        |line: &&Line<'_>| line.is_blank() || line.author == Author::Unclear || !is_own(line);
    let below = lines[first + 1..].iter().take_while(is_inside).count();
    let end = first + 1 + below;
    let mut below = lines[first..end].iter();
    let is_unclear = below.any(|line| line.author == Author::Unclear);
    is_unclear.then_some(Part::plain(start, start, end))
}

/// Returns true if the line is a rule below which another pass found nothing certain.
fn opens_rule(lines: &[Line<'_>], at: usize) -> bool {
    lines[at].author == Author::Own && quotation::is_rule(lines, at)
}

/// Returns true if the passes before have found nobody else's words in a line.
fn is_own(line: &Line<'_>) -> bool {
    line.author.may_be_own() || line.author == Author::Boilerplate || is_armour(line)
}

/// Returns true if a line begins a text that its writer has signed.
fn is_armour(line: &Line<'_>) -> bool {
    line.author == Author::Signature && boilerplate::begins_signed(line.text)
}

/// Returns true if a line has a quote mark.
fn has_mark(line: &Line<'_>) -> bool {
    line.column > 1
}

/// Returns true if an own line may belong to what a program puts around somebody
/// else's words. In a letter to somebody else it does.
fn is_sign(lines: &[Line<'_>], at: usize, habits: &Habits) -> bool {
    let line = &lines[at];
    line.author == Author::Unclear
        || header_block::closes(line.text)
        || boilerplate::begins_quote(line.source)
        || quotation::is_rule(lines, at)
        || is_like_rule(line.text)
        || is_like_mark(line.text)
        || header_block::is_dated_at(lines, at)
        || line.source.starts_with('\t')
        || opens(line.text, habits)
        || (habits.foot)(lines, at).is_some()
}

/// Returns true if a line may tell whose words stand below it, in a letter to somebody
/// else: by a name, an address, a date, a field, or a word for writing.
fn tells_source(text: &str, others: &[String]) -> bool {
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    let names = |word: &str| others.iter().any(|other| other == word);
    text.contains('@')
        || header_block::has_year(text)
        || header_block::has_clock(text)
        || is_field(text.trim_start())
        || !is_sentence(text) && (tells_writing(text) || words.any(names))
}

/// Returns true for a line that ends as a sentence does, or as a greeting.
fn is_sentence(text: &str) -> bool {
    let end = text.trim_end();
    end.ends_with([',', '.', '!', '?']) && !end.ends_with("..")
}

/// The words with which whoever writes addresses somebody.
const SALUTATIONS: [&str; 12] = [
    "hi", "hello", "hey", "dear", "hallo", "liebe", "lieber", "bonjour", "salut", "cher", "hola",
    "ciao",
];

/// The most words of a salutation.
const MOST_OF_SALUTATION: usize = 4;

/// Returns true if a line addresses somebody, and says nothing else.
fn is_salutation(text: &str) -> bool {
    let text = text.to_lowercase();
    let mut words = text.split_whitespace();
    let is_one = words.next().is_some_and(|word| SALUTATIONS.contains(&word));
    let is_short = words.count() < MOST_OF_SALUTATION;
    is_one && is_short && !text.contains(':') && !tells_writing(&text)
}

/// Returns true if a line begins like a rule or with a mark: `<<<<< Ben >>>>>`, `% Ben`.
fn is_like_rule(text: &str) -> bool {
    // A row of a drawn table begins so, too.
    let cells = text
        .split_whitespace()
        .take_while(|word| word.chars().count() < 3);
    if cells.count() >= CELLS {
        return false;
    }
    let mut signs = text.trim_start().chars();
    let first = signs
        .next()
        .filter(|c| !c.is_alphanumeric() && !".…".contains(*c));
    let (second, third) = (signs.next(), signs.next());
    first.is_some() && (second.is_none_or(is_blank) || (second, third) == (first, first))
}

/// Returns true if a line begins like one behind the initials of its writer: ` BB> Yes`.
fn is_like_mark(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    let initials = first.trim_end_matches(['>', '|', '}']);
    // One letter may mean something: `N> f3`.
    let is_short = (2..=LONGEST_INITIALS).contains(&initials.chars().count());
    first.len() > initials.len() && is_short && initials.chars().all(char::is_alphanumeric)
}

/// The number of a mail, and the places of the lines that were typed into its quotation.
type Known = (usize, Vec<usize>);

/// The mails that a letter may quote, made when they are needed.
struct Reader<'t> {
    thread: &'t Thread<'t>,
    mails: LazyCell<Vec<MailText>, &'t dyn Fn() -> Vec<MailText>>,
}

impl Reader<'_> {
    /// Returns true if a line is of a mail of ours that the letter answers.
    fn has(&self, line: &Line<'_>) -> bool {
        let is_of = |mail: &MailText| mail.find(line) == Found::Whole;
        self.thread.is_ours() && self.mails.iter().any(is_of)
    }

    /// Returns the lines of the foot of a mail of ours that is quoted from `sign` on in a letter to
    /// somebody whom we do not know, if nobody else is named above it. Nothing proves that the rest is
    /// that mail, but the foot tells which position the writer saw.
    fn unnamed_foot(&self, lines: &[Line<'_>], sign: usize) -> Range<usize> {
        let thread = self.thread;
        if !thread.is_elsewhere() || !thread.may_be_rewritten {
            return 0..0;
        }
        let feet = (sign..lines.len()).filter(|at| !lines[*at].author.may_be_own());
        let feet = feet.filter_map(|at| Some((at, (thread.habits.foot)(lines, at)?)));
        let Some((at, foot)) = feet.min_by_key(|(at, _)| lines[*at].column) else {
            return 0..0;
        };
        let has_hash = |mail: &&MailText| foot.hash.as_ref() == Some(&mail.hash);
        let Some(mail) = self.mails.iter().find(has_hash) else {
            return 0..0;
        };
        let is_of_ours =
            |address: &str| is_ours(address, thread.ours) || is_ours(address, thread.senders);
        let names_another = |line: &Line<'_>| {
            let text = line.text.to_lowercase();
            let mut words = text.split(|c: char| !c.is_alphanumeric());
            let has_name = words.any(|word| thread.others.iter().any(|other| other == word));
            !addresses(&text).all(is_of_ours)
                || has_name && !is_sentence(line.text) && mail.find(line) != Found::Whole
        };
        let mut marked = lines[sign..at].iter().filter(|line| has_mark(line));
        let is_within = marked
            .next()
            .is_some_and(|first| first.column < lines[at].column);
        if is_within || lines[..at].iter().any(names_another) {
            return 0..0;
        }
        at..foot.end
    }

    /// Returns the part, or one that begins elsewhere, the number of the mail that it is, and
    /// the lines that the writer has typed into that. Notes which may be such lines.
    fn find_any(&self, lines: &mut [Line<'_>], part: Part) -> (Part, Option<Known>) {
        if let Some(known) = self.known(lines, &part) {
            return (part, Some(known));
        }
        for (below, is_wrapped) in [
            (below_head as fn(&_, &_, &_) -> _, false),
            (below_wrapped, true),
            (below_date, false),
        ] {
            if self.thread.is_ours()
                && let Some(other) = below(lines, &part, self.thread)
                && let Some(known) = self.known(lines, &other)
            {
                // What says whose the part is, is nobody's words.
                for line in lines.iter_mut().take(other.start).skip(other.sign) {
                    if is_wrapped && line.author == Author::Own {
                        line.author = Author::Quoted(1);
                    }
                }
                return (other, Some(known));
            }
        }
        (part, None)
    }

    /// Returns the number of the mail that a part is, and the lines typed into it.
    fn known(&self, lines: &mut [Line<'_>], part: &Part) -> Option<Known> {
        let thread = self.thread;
        let habits = thread.habits;
        let people = [thread.ours, thread.others];
        if !part.is_marked && !is_begun_by_us(lines, part.start, people, habits) {
            return None;
        }
        let found = self.find(lines, part);
        if !thread.is_ours() {
            return found.map(|mail| (mail, Vec::new()));
        }
        let mut mails = (0..).zip(self.mails.iter());
        if part.is_marked {
            let is_silent =
                |line: &Line<'_>| !is_own(line) || line.is_blank() || opens(line.text, habits);
            let is_alone = lines.iter().all(is_silent);
            let words = &mut lines[part.start..part.end];
            let is_whole = |mail| whole(words, mail) >= LEAST_WHOLE;
            let is_it = |mail| is_whole(mail) || has_hash(words, &mail.hash, habits);
            let (at, mail) =
                mails.find(|(at, mail)| found.map_or_else(|| is_it(mail), |found| found == *at))?;
            // Of a mail in HTML only the foot is left.
            let is_foot = is_alone && !is_whole(mail) && is_it(mail);
            doubt_added(words, mail, thread.is_order);
            return found.map(|_| (at, repeated(words, mail, is_foot, habits)));
        }
        let may_be_theirs = |at: usize| {
            let at = part.start + at;
            let text = lines[at].text;
            is_sign(lines, at, habits) || tells_source(text, &[]) && !(thread.is_order)(text)
        };
        let words = &lines[part.start..part.end];
        let orders = (thread.is_order, habits);
        let typed =
            |(at, mail)| Some((at, typed_into(words, mail, people, orders, may_be_theirs)?));
        mails
            .find_map(typed)
            .or(found.map(|mail| (mail, Vec::new())))
    }

    /// Returns the number of the mail of ours to the writer that a part is, if it is nothing
    /// else.
    fn find(&self, lines: &[Line<'_>], part: &Part) -> Option<usize> {
        let thread = self.thread;
        let may_be_ours =
            thread.may_be_rewritten && part.is_marked && is_from_us(&lines[..part.start], thread);
        if !thread.is_ours() && !may_be_ours {
            return None;
        }
        let ours = if part.is_marked {
            thread.senders
        } else {
            thread.ours
        };
        let people = [ours, thread.others];
        // Somebody else may have sent a mail of ours on under its id.
        if part.is_marked && introduces_another(&lines[..part.start], people, thread.habits) {
            return None;
        }
        let lines = &lines[part.start..part.end];
        self.mails.iter().position(|mail| {
            let has_foot = has_foot(lines, &mail.hash, thread.habits);
            let may_lack_foot = thread.is_ours() && part.is_marked;
            (has_foot || may_lack_foot)
                && (thread.is_ours() && part.is_marked || whole(lines, mail) >= LEAST_WHOLE)
                && is_of(lines, mail, part.is_marked, people, thread.habits)
        })
    }
}

/// Returns false if a part without marks begins with the rest of an attribution, `wrote:`, the
/// beginning of which stands directly above and does not name us.
fn is_begun_by_us(
    lines: &[Line<'_>],
    start: usize,
    people: [&[String]; 2],
    habits: &Habits,
) -> bool {
    let blank = lines[..start].iter().rposition(Line::is_blank);
    let begin = blank.map_or(0, |blank| blank + 1);
    let head = &lines[begin..=start];
    begin == start || !is_attribution(lines[start].text) || is_head_of_ours(head, people, habits)
}

/// Returns true if nothing above a quotation names another source than us.
fn is_from_us(above: &[Line<'_>], thread: &Thread<'_>) -> bool {
    let source = source(above);
    let mut sources = addresses(&source).peekable();
    if sources.peek().is_none() {
        return thread.is_ours() || above.is_empty();
    }
    sources.all(|from| is_ours(from, thread.ours))
}

/// Returns the lines directly above a quotation that may say whose it is, in small
/// letters.
fn source(above: &[Line<'_>]) -> String {
    let words = above.iter().rev().skip_while(|line| line.is_blank());
    let near: Vec<&str> = words
        .take_while(|line| !line.is_blank())
        .take(MOST_ABOVE)
        .map(|line| line.text)
        .collect();
    near.concat().to_lowercase()
}
