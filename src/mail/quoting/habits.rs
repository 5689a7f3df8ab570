//! What a program's own mails look like, and what may be no quote mark in its letters: all
//! that the passes have to know of the program that sent the mails which a text answers.

use crate::quoting::line::Line;

/// The habits of a program that sends mails and reads the answers to them.
///
/// [`Habits::NONE`] is a program of which nothing is known. A program says what differs:
///
/// ```
/// use parapost_mail::quoting::habits::Habits;
///
/// /// A helpdesk, whose mails begin with `Ticket: 42`.
/// static HABITS: Habits = Habits {
///     fields: &["Ticket", "Urgency"],
///     ..Habits::NONE
/// };
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Habits {
    /// The names of the header fields in the text of its mails, which name no source.
    pub fields: &'static [&'static str],
    /// The ends of lines that end with a colon, and below which nobody else's words stand.
    pub headings: &'static [&'static str],
    /// The lines between which the parts of its web pages stand: the first, the one above
    /// what is read, the one below that, and the last.
    pub page: Option<[&'static str; 4]>,
    /// Returns true if initials and the text behind their `>` are no quote mark, but mean
    /// something in its letters: a program to which `A>12` is an order says so of `A`, `12`.
    pub is_no_mark: fn(initials: &str, behind: &str) -> bool,
    /// Returns true if initials and the text behind their `>` may be none, if misspelt.
    pub may_be_no_mark: fn(initials: &str, behind: &str) -> bool,
    /// Returns true if a word, which is letters and digits alone, may be an order: something
    /// that is done because its writer has written it.
    pub is_like_order: fn(word: &str) -> bool,
    /// Reads the foot of one of its mails that begins at this line.
    pub foot: fn(lines: &[Line<'_>], at: usize) -> Option<Foot>,
    /// Returns true if a line is one that a link of its mails has begun for the writer of an
    /// answer, such as `Answer code: …`, and so no sign of anybody's words.
    pub is_of_form: fn(lines: &[Line<'_>], at: usize) -> bool,
    /// Makes samples of what these recognise, each list with its name, for tests that play
    /// the part of an adversary.
    pub samples: fn() -> Vec<(&'static str, Vec<String>)>,
}

/// The foot of a mail of the program's own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Foot {
    /// Any text that no other mail of the program has, if the foot has one.
    pub hash: Option<String>,
    /// The number of the line behind it, from 0, where the mail ends.
    pub end: usize,
}

impl Habits {
    /// Nothing is known of the program.
    pub const NONE: Habits = Habits {
        fields: &[],
        headings: &[],
        page: None,
        is_no_mark: |_, _| false,
        may_be_no_mark: |_, _| false,
        is_like_order: |_| false,
        foot: |_, _| None,
        is_of_form: |_, _| false,
        samples: Vec::new,
    };
}

/// The habits of a program that sends HTML and reads the answers to it.
///
/// [`HtmlHabits::NONE`] is a program that sends none, or none that would mean anything.
#[derive(Clone, Copy, Debug)]
pub struct HtmlHabits {
    /// A name that its tables have, in small letters, and nobody else's. Such a table is left
    /// out.
    pub table: Option<&'static str>,
    /// Returns true for the target of a link, in small letters, that writes an answer. The table
    /// around it is left out.
    pub is_link: fn(target: &str) -> bool,
    /// Returns true if a text has nothing but the texts of such links, which are left out. Other
    /// words in one stay: anybody can make such a link.
    pub is_of_link: fn(text: &str) -> bool,
    /// Returns true for what a picture of its mails says to those who see none, in small
    /// letters. The table around it is left out.
    pub is_picture: fn(text: &str) -> bool,
    /// Returns true if the text of a link to an address could be taken for an order. It is
    /// left out.
    pub is_order: fn(text: &str) -> bool,
    /// Returns the foot of one of its mails in a reduced document, which is kept of a table
    /// that is left out.
    pub foot: fn(reduced: &str) -> Option<String>,
    /// Returns true for a page of its own that is attached to its mails: nobody writes in it.
    pub is_page: fn(html: &str) -> bool,
    /// Removes what is left of its HTML from a text that a mail program has made of it.
    pub without: fn(text: String) -> String,
}

impl HtmlHabits {
    /// Nothing is known of the program.
    pub const NONE: HtmlHabits = HtmlHabits {
        table: None,
        is_link: |_| false,
        is_of_link: |_| true,
        is_picture: |_| false,
        is_order: |_| false,
        foot: |_| None,
        is_page: |_| false,
        without: |text| text,
    };
}
