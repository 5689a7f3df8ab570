//! What a program's own mails have as HTML besides words: it is nobody's words where it comes
//! back in an answer.

/// The habits of a program that sends HTML and reads the answers to it.
///
/// [`HtmlHabits::NONE`] is a program that sends none, or none that would mean anything.
#[derive(Clone, Copy, Debug)]
pub struct HtmlHabits {
    /// A name that its tables have, in small letters, and nobody else's. Such a table is left
    /// out.
    pub table: Option<&'static str>,
    /// Returns true for the target of a link, in small letters, that writes an answer. Its text
    /// is left out, and so is the table around it.
    pub is_link: fn(target: &str) -> bool,
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
        is_picture: |_| false,
        is_order: |_| false,
        foot: |_| None,
        is_page: |_| false,
        without: |text| text,
    };
}

impl Default for HtmlHabits {
    fn default() -> HtmlHabits {
        HtmlHabits::NONE
    }
}

/// Those of a helpdesk, for the tests.
#[cfg(test)]
pub(crate) static HELPDESK: HtmlHabits = HtmlHabits {
    table: Some("helpdesk"),
    is_link: |target| target.contains("mailto:") && target.contains('?'),
    is_picture: |text| text.starts_with("ticket"),
    is_order: |text| text == "cancel" || text.contains('>'),
    foot: |reduced| {
        let foot = &reduced[reduced.rfind("Ticket ")?..];
        foot.split('<').next().map(str::to_owned)
    },
    ..HtmlHabits::NONE
};
