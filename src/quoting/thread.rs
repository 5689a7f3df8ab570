//! Whose words stand below a quotation: what a letter answers tells.
//!
//! Passes that look at a text alone cannot tell where a quotation ends, because the
//! person who is quoted has chosen its words. So nothing in a quotation ends it. What
//! stands above the first sign of anybody else's words is the writer's. What stands
//! below counts only if everything between is a mail of ours, which the program knows
//! to the word.

use crate::quoting::attribution::{is_attribution, is_said_by_writer, tells_writing};
use crate::quoting::header_block::{is_field, is_postmark, names_sender};
use crate::quoting::id_line::IdLine;
use crate::quoting::line::{Author, Line, is_blank};
use crate::quoting::mail_text::{Found, MailText};
use crate::quoting::{
    broken_head, forum_tags, pgp, rule, separator, structure, words, wrapped_line,
};

/// What a letter answers, as far as it tells whose words are in it.
pub struct Thread<'t> {
    /// True if the letter answers a mail of ours to its writer, or a letter of its
    /// writer's.
    pub is_ours: bool,
    /// True if the letter answers somebody else's message.
    pub is_elsewhere: bool,
    /// True if a relay may have given the mail that it answers another id than ours.
    pub may_be_rewritten: bool,
    /// Makes the mails that it may quote. They are made only if something stands
    /// below a quotation.
    pub mails: &'t dyn Fn() -> Vec<MailText>,
    /// Our name and our addresses, in small letters.
    pub ours: &'t [String],
    /// The words of the other players' names, in small letters.
    pub others: &'t [String],
    /// Returns true if a line is an order, and so says nothing of who wrote what follows.
    pub is_order: &'t dyn Fn(&str) -> bool,
}

/// Returns samples of what this pass reacts to.
pub(super) fn tokens() -> Vec<String> {
    [
        "posted by Ben on Fri, 20 Nov 2026 03:00",
        "<<<<< Ben >>>>>",
        "% Ben",
        "Ben:",
        "[quote=Ben]",
    ]
    .map(str::to_owned)
    .to_vec()
}

/// The most lines above a quotation without marks that say whose it is: a separator, a
/// header block, the banner of a gateway.
const MOST_OPENING: usize = 16;

/// The least squares in a row of a board.
const SQUARES: usize = 6;

/// The most characters of the initials in a quote mark.
const LONGEST_INITIALS: usize = 6;

/// The most lines of an attribution above quote marks.
const MOST_LINES: usize = 4;

/// The least lines of a mail into which a move can be filled, and of one that is quoted
/// without marks. The rows of its list and its foot anybody can write.
const LEAST_WHOLE: usize = 6;

/// The same, where an attribution names somebody else: our address may have changed.
const LEAST_NAMED: usize = 7;

/// The most lines of a quotation into which moves were filled.
const MOST_FILLED: usize = 8;

/// Takes the lines below a quotation from the writer, unless the quotation is a mail
/// of ours. Below a quotation without marks they may be quoted, too: their author is
/// [`Author::Quoted`] with depth 0. Below any other it is unclear.
///
/// Notes which lines are quoted from the mail that the letter answers.
pub fn bound(lines: &mut [Line<'_>], thread: &Thread<'_>) {
    let mut reader = Reader {
        thread,
        mails: None,
    };
    judge(lines, &mut reader);
    let marked = lines.iter().filter(|line| has_mark(line));
    let width = wrapped_line::width(marked);
    let mut is_below_mark = false;
    for at in 0..lines.len() {
        let line = &lines[at];
        is_below_mark = has_mark(line) || is_below_mark && !begins_unmarked(line);
        let is_quoted = matches!(line.author, Author::Quoted(1..)) && !has_mark(line);
        // The end of a wrapped line, unless we know that the line ends above.
        let is_end = |above: &Line<'_>| wrapped_line::goes_on(above.source, line.text, width);
        lines[at].is_among_marks = is_below_mark
            && is_quoted
            && (at == 0 || !is_end(&lines[at - 1]) || reader.has(&lines[at - 1]));
    }
}

/// Judges each part with the words of somebody else.
fn judge(lines: &mut [Line<'_>], reader: &mut Reader<'_>) {
    let thread = reader.thread;
    let mut at = 0;
    while at < lines.len() {
        let Some(part) = next_part(lines, at, thread) else {
            return;
        };
        let mail = reader.find(lines, &part);
        if let Some(mail) = mail.filter(|_| thread.is_ours) {
            let least = if is_from_us(&lines[..part.start], thread) {
                LEAST_WHOLE
            } else {
                LEAST_NAMED
            };
            let may_be_filled = whole(&lines[part.start..part.end], mail) >= least;
            for line in &mut lines[part.start..part.end] {
                line.is_of_parent = may_be_filled;
                // The move that was added to a row may stand in another mail of ours.
                if line.author == Author::Program && mail.find(line) == Found::Extended {
                    line.author = Author::Quoted(1);
                }
            }
        } else if mail.is_none() && part.is_end {
            let is_command = |line: &Line<'_>| (thread.is_order)(line.text);
            let head = broken_head::first(lines, part.sign, is_command);
            let orders = (head..part.sign).filter(|at| may_be_order(&lines[*at], thread));
            for at in orders.collect::<Vec<_>>() {
                take(&mut lines[at..=at], part.is_unmarked, thread);
            }
            take(&mut lines[part.sign..], part.is_unmarked, thread);
            return;
        }
        at = part.end.max(at + 1);
    }
}

/// Takes lines from the writer. A signature below a quotation without marks may end
/// there as well. What is quoted in an answer to somebody else is that person's, even a
/// list or a foot of ours, and no unclear line corrects what stands above.
fn take(lines: &mut [Line<'_>], mut is_unmarked: bool, thread: &Thread<'_>) {
    for line in lines {
        is_unmarked |= begins_unmarked(line);
        let doubtful = if is_unmarked || thread.is_elsewhere {
            Author::Quoted(0)
        } else {
            Author::Unclear
        };
        match line.author {
            Author::Own | Author::Unclear => line.author = doubtful,
            Author::Signature | Author::Boilerplate if is_unmarked => line.author = doubtful,
            Author::Quoted(1..) | Author::Program if thread.is_elsewhere => {
                line.author = Author::Carried;
            }
            _ => {}
        }
    }
}

/// Returns true if a line may be a command or a move.
fn may_be_order(line: &Line<'_>, thread: &Thread<'_>) -> bool {
    let words = words::of_line(line);
    (thread.is_order)(line.text) || words.iter().any(|word| words::is_like_move(word))
}

/// Returns true if a line begins a quotation without marks.
fn begins_unmarked(line: &Line<'_>) -> bool {
    let begins = || separator::opens(line.text) || opens(line.text) || is_field(line.text);
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

/// Returns the next part from `at` on with the words of somebody else.
fn next_part(lines: &[Line<'_>], at: usize, thread: &Thread<'_>) -> Option<Part> {
    let is_sign = |at: &usize| {
        let line = &lines[*at];
        let is_sign = || {
            if thread.is_ours {
                let names = line.text.trim().trim_matches(['<', '>']).to_lowercase();
                structure::is_dated(line.text)
                    || structure::is_address(line.text) && !is_ours(&names, thread.ours)
            } else {
                is_sign(lines, *at)
                    || tells_source(line.text, thread.others) && !(thread.is_order)(line.text)
            }
        };
        let is_theirs = || !is_own(line) || is_sign();
        !line.is_blank() && !is_of_answer(lines, *at) && is_theirs()
    };
    let is_start = |at: &usize| is_sign(at) || opens_rule(lines, *at);
    let start = (at..lines.len()).find(is_start)?;
    if thread.is_ours
        && opens_rule(lines, start)
        && let Some(part) = below_rule(lines, start)
    {
        return Some(part);
    }
    // An attribution above quote marks is no part of what it introduces.
    let sign = start;
    let start = introduced(lines, sign, thread.is_ours).unwrap_or(sign);
    // What says who wrote may take several lines above words that are known.
    let mut below = (start..lines.len()).filter(|at| !lines[*at].is_blank());
    let known = below
        .by_ref()
        .take(MOST_LINES)
        .find(|at| !is_own(&lines[*at]));
    let known = known.filter(|_| thread.is_ours).unwrap_or(start);
    let end = known + length(&lines[known..]);
    let part = &lines[start..end];
    let is_quoted = |line: &&Line<'_>| matches!(line.author, Author::Quoted(_));
    let is_marked = is_marked(part);
    let opens_own = is_own(&part[0]) && !opens_rule(lines, start);
    Some(Part {
        sign,
        start,
        end,
        is_marked,
        is_unmarked: !is_marked && part.iter().any(|line| is_quoted(&line)),
        // Known words without any quotation end nothing in an answer to us.
        is_end: !thread.is_ours || opens_own || part.iter().any(|line| is_quoted(&line)),
    })
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
fn introduced(lines: &[Line<'_>], at: usize, is_ours: bool) -> Option<usize> {
    let most = if is_ours { MOST_LINES } else { 2 };
    let mut words = (at..lines.len()).filter(|at| !lines[*at].is_blank());
    let mut above = words.next().filter(|at| is_own(&lines[*at]))?;
    for next in words.take(most) {
        if has_mark(&lines[next]) {
            return opens(lines[above].text).then_some(next);
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
fn length(lines: &[Line<'_>]) -> usize {
    let is_marked = lines.first().is_some_and(has_mark);
    let is_inside = |line: &&Line<'_>| {
        let may_belong = !(is_own(line) || is_marked && begins_unmarked(line));
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
    below
        .any(|line| line.author == Author::Unclear)
        .then_some(Part {
            sign: start,
            start,
            end,
            is_marked: false,
            is_unmarked: false,
            is_end: true,
        })
}

/// Returns true if the line is a rule below which another pass found nothing certain.
fn opens_rule(lines: &[Line<'_>], at: usize) -> bool {
    lines[at].author == Author::Own && rule::is_rule(lines, at)
}

/// Returns true if the passes before have found nobody else's words in a line.
fn is_own(line: &Line<'_>) -> bool {
    line.author.may_be_own() || line.author == Author::Boilerplate || is_armour(line)
}

/// Returns true if a line begins a text that its writer has signed.
fn is_armour(line: &Line<'_>) -> bool {
    line.author == Author::Signature && pgp::begins_signed(line.text)
}

/// Returns true if a line has a quote mark.
fn has_mark(line: &Line<'_>) -> bool {
    line.column > 1
}

/// Returns true if an own line may belong to what a program puts around somebody
/// else's words. In a letter to somebody else it does.
fn is_sign(lines: &[Line<'_>], at: usize) -> bool {
    let line = &lines[at];
    line.author == Author::Unclear
        || separator::closes(line.text)
        || forum_tags::quotes(line.source)
        || rule::is_rule(lines, at)
        || is_like_rule(line.text)
        || is_like_mark(line.text)
        || structure::is_dated(line.text)
        || line.source.starts_with('\t')
        || opens(line.text)
        || IdLine::at(lines, at).is_some()
}

/// Returns true if a line may tell whose words stand below it, in a letter to somebody
/// else: by a name, an address, a date, a field, or a word for writing.
fn tells_source(text: &str, others: &[String]) -> bool {
    let end = text.trim_end();
    // Whoever addresses somebody ends so.
    let is_sentence = end.ends_with([',', '.', '!', '?']) && !end.ends_with("..");
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    let names = |word: &str| others.iter().any(|other| other == word);
    text.contains('@')
        || structure::has_year(text)
        || structure::has_clock(text)
        || is_field(text.trim_start())
        || !is_sentence && (tells_writing(text) || words.any(names))
}

/// Returns true if a line begins like a rule or with a mark: `<<<<< Ben >>>>>`, `% Ben`.
fn is_like_rule(text: &str) -> bool {
    // A row of a board begins so, too.
    let squares = text
        .split_whitespace()
        .take_while(|word| word.chars().count() < 3);
    if squares.count() >= SQUARES {
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
    // One letter may be a piece: `N> f3`.
    let is_short = (2..=LONGEST_INITIALS).contains(&initials.chars().count());
    first.len() > initials.len() && is_short && initials.chars().all(char::is_alphanumeric)
}

/// Returns true if a line may say who wrote what stands below it, in any words. The
/// heading of a reserve is none, nor is what an answer has that a link has begun.
fn opens(text: &str) -> bool {
    let text = text.trim_end_matches(|c: char| c.is_whitespace() || "*\u{200e}".contains(c));
    let is_heading = ["reserve:", "Answer code:"]
        .iter()
        .any(|heading| text.ends_with(heading));
    is_attribution(text) || text.ends_with([':', '：']) && !is_heading && !is_said_by_writer(text)
}

/// Returns true if an answer has the line that a link of ours has begun: it names the
/// match or is the place of the answer code.
fn is_of_answer(lines: &[Line<'_>], at: usize) -> bool {
    let is_code = |at: usize| {
        let line = lines.get(at);
        line.is_some_and(|line| line.text.trim_start().starts_with("Answer code:"))
    };
    let is_id_line = |at: usize| IdLine::at(lines, at).is_some();
    is_code(at + 1) && is_id_line(at) || is_code(at) && at.checked_sub(1).is_some_and(is_id_line)
}

/// The mails that a letter may quote, made when they are needed.
struct Reader<'t> {
    thread: &'t Thread<'t>,
    mails: Option<Vec<MailText>>,
}

impl Reader<'_> {
    /// Returns true if a line is of a mail of ours that the letter answers.
    fn has(&mut self, line: &Line<'_>) -> bool {
        let mails = self.mails.get_or_insert_with(|| (self.thread.mails)());
        self.thread.is_ours && mails.iter().any(|mail| mail.find(line) == Found::Whole)
    }

    /// Returns the mail of ours to the writer that a part is, if it is nothing else.
    fn find(&mut self, lines: &[Line<'_>], part: &Part) -> Option<&MailText> {
        let thread = self.thread;
        let may_be_ours =
            thread.may_be_rewritten && part.is_marked && is_from_us(&lines[..part.start], thread);
        if !thread.is_ours && !may_be_ours {
            return None;
        }
        let mails = self.mails.get_or_insert_with(|| (thread.mails)());
        let lines = &lines[part.start..part.end];
        mails.iter().find(|mail| {
            let has_foot = has_foot(lines, mail.hash());
            let may_lack_foot = thread.is_ours && part.is_marked;
            (has_foot || may_lack_foot)
                && (thread.is_ours && part.is_marked || whole(lines, mail) >= LEAST_WHOLE)
                && is_of(lines, mail, part.is_marked, thread.ours)
        })
    }
}

/// Returns true if nothing above a quotation names another source than us.
fn is_from_us(above: &[Line<'_>], thread: &Thread<'_>) -> bool {
    let source = source(above);
    let mut sources = addresses(&source).peekable();
    if sources.peek().is_none() {
        return thread.is_ours || above.is_empty();
    }
    sources.all(|from| is_ours(from, thread.ours))
}

/// Returns the lines directly above a quotation that may say whose it is, in small
/// letters.
fn source(above: &[Line<'_>]) -> String {
    let words = above.iter().rev().skip_while(|line| line.is_blank());
    let near: Vec<&str> = words
        .take_while(|line| !line.is_blank())
        .take(3)
        .map(|line| line.text)
        .collect();
    near.concat().to_lowercase()
}

/// Returns how many lines have words of the mail, besides the rows of its list.
fn whole(lines: &[Line<'_>], mail: &MailText) -> usize {
    let is_row = |line: &Line<'_>| {
        line.text
            .trim_start()
            .starts_with(|c: char| c.is_ascii_digit())
    };
    let is_whole =
        |line: &&Line<'_>| !is_row(line) && matches!(mail.find(line), Found::Whole | Found::Usual);
    lines.iter().filter(is_whole).count()
}

/// Returns true if the lines end with the foot of the mail with this hash.
fn has_foot(lines: &[Line<'_>], hash: &str) -> bool {
    let last = lines.iter().rposition(|line| !line.is_blank());
    let ends = |end: usize| last.is_some_and(|last| last < end);
    (0..lines.len()).any(|at| {
        IdLine::at(lines, at)
            .is_some_and(|(foot, end)| foot.hash.as_deref() == Some(hash) && ends(end))
    })
}

/// Returns the addresses in a text in small letters.
fn addresses(text: &str) -> impl Iterator<Item = &str> {
    let is_end = |c: char| c.is_whitespace() || "<>()[]\",;:".contains(c);
    text.split(is_end).filter(|word| word.contains('@'))
}

fn is_ours(word: &str, ours: &[String]) -> bool {
    ours.iter().any(|our| our == word)
}

/// Returns true if lines above a mail of ours may say that it is ours: the first address
/// in them is, or where they have none, our name stands in them, or they name nobody.
fn is_head_of_ours(head: &[Line<'_>], ours: &[String]) -> bool {
    let text: String = head.iter().flat_map(|line| [line.text, "\n"]).collect();
    let text = text.to_lowercase();
    if let Some(from) = addresses(&text).next() {
        return is_ours(from, ours);
    }
    let names_nobody = |line: &Line<'_>| {
        let is_known = || separator::opens(line.text) || is_field(line.text.trim_start());
        let has_words = line.text.chars().any(char::is_alphanumeric);
        !has_words || is_known() && !names_sender(line.text)
    };
    ours.iter().any(|our| text.contains(our.as_str())) || head.iter().all(names_nobody)
}

/// Returns true if all lines are of the mail, but for a few above them that say whose
/// it is, and rows to which moves were added.
fn is_of(lines: &[Line<'_>], mail: &MailText, is_marked: bool, ours: &[String]) -> bool {
    // A gateway puts its banner above what it hands on, not between quote marks.
    let is_head = |line: &Line<'_>, found: Found| {
        let text = line.text.trim_start();
        !is_marked
            || matches!(found, Found::Blank | Found::Usual)
            || is_field(text)
            || is_postmark(text)
            || separator::opens(text)
            || is_attribution(text)
    };
    let (mut begin, mut filled) = (None, 0);
    for (at, line) in lines.iter().enumerate() {
        let found = mail.find(line);
        if found == Found::Whole {
            begin.get_or_insert(at);
        }
        filled += usize::from(begin.is_some() && found == Found::Extended);
        let is_known = match begin {
            // What says who wrote is nobody's move.
            Some(_) if found == Found::Extended => filled <= MOST_FILLED && !opens(line.text),
            Some(_) => found != Found::No,
            None => at < MOST_OPENING && is_head(line, found),
        };
        if !is_known {
            return false;
        }
    }
    begin.is_some_and(|begin| is_marked || is_head_of_ours(&lines[..begin], ours))
}
