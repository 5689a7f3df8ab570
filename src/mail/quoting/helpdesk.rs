//! The habits of a helpdesk, for the tests: its customers answer its mails, and order articles
//! by writing their numbers. It knows no game.

use crate::quoting::classify;
use crate::quoting::habits::{Foot, Habits, HtmlHabits};
use crate::quoting::line::Line;
use crate::quoting::sent::Sent;

/// The habits of a helpdesk.
pub(crate) static HELPDESK: Habits = Habits {
    fields: &["Ticket", "Urgency"],
    headings: &["In stock:"],
    is_like_order: |word| {
        let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
        has_digit && word.bytes().any(|byte| byte.is_ascii_alphabetic())
    },
    foot,
    samples: || vec![("foot", vec!["Ticket m, code 0123456789abcdef.".to_owned()])],
    ..Habits::NONE
};

/// Those of its HTML.
pub(crate) static HTML_HELPDESK: HtmlHabits = HtmlHabits {
    table: Some("helpdesk"),
    is_link: |target| target.contains("mailto:") && target.contains('?'),
    is_picture: |text| text.starts_with("ticket"),
    is_of_link: |text| !text.contains(['@', ':']),
    is_order: |text| text == "cancel" || text.contains('>'),
    foot: |reduced| {
        let foot = &reduced[reduced.rfind("Ticket ")?..];
        foot.split('<').next().map(str::to_owned)
    },
    ..HtmlHabits::NONE
};

/// Reads `Ticket m, code 0123456789abcdef.`
fn foot(lines: &[Line<'_>], at: usize) -> Option<Foot> {
    let text = lines[at].plain();
    let (_, code) = text.trim().strip_prefix("Ticket ")?.split_once(", code ")?;
    Some(Foot {
        hash: code.strip_suffix('.').map(str::to_owned),
        end: at + 1,
    })
}

/// Classifies a text with nothing known to have been sent.
pub(crate) fn pasted(text: &str) -> Vec<Line<'_>> {
    classify(text, &Sent::nothing(), &HELPDESK)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quoting::line::Author;
    use crate::quoting::own_words;
    use crate::quoting::sent::MailText;
    use crate::quoting::thread::{Answers, Thread, bound};

    const MAIL: &str = "Dear Ann,\nyour order has left our house.\nIt arrives on Monday.\n\
        Was everything to your liking?\nShall we send more of it?\nIn stock:\n\
        B12 lamps and C7 shades\nWrite 'cancel' if you want none.\n\
        Ticket m, code 0123456789abcdef.\n";

    const WROTE: &str = "On Fri, 20 Nov 2026 at 03:00, Desk <desk@example.com> wrote:";

    /// Returns the words that count as Ann's in an answer to that mail.
    fn own(reply: &str) -> String {
        let mut lines = pasted(reply);
        let thread = Thread {
            answers: Answers::OurMail,
            may_be_rewritten: false,
            mails: &|| vec![MailText::new("0123456789abcdef", &HELPDESK).with(MAIL)],
            ours: &["desk@example.com".to_owned()],
            senders: &["desk@example.com".to_owned()],
            others: &["ben".to_owned()],
            is_order: &|line| line.trim() == "cancel",
            habits: &HELPDESK,
        };
        bound(&mut lines, &thread);
        own_words(&lines)
    }

    fn quoted() -> String {
        let line = |line: &str| format!("> {line}\n");
        MAIL.lines().map(line).collect()
    }

    #[test]
    fn what_stands_below_a_mail_of_the_helpdesk_is_the_customer_s() {
        assert_eq!(own(&format!("cancel\n\n{WROTE}\n{}", quoted())), "cancel\n");
        assert_eq!(own(&format!("{WROTE}\n{}\ncancel\n", quoted())), "cancel\n");
    }

    #[test]
    fn what_stands_below_anybody_else_s_words_is_not() {
        let ben = "On Fri, 20 Nov 2026 at 03:00, Ben <ben@example.org> wrote:\n> Hello\n";
        assert_eq!(own(&format!("Hi!\n\n{ben}\ncancel\n")), "Hi!\n");
        let added = quoted().replace("> In stock:\n", "> In stock:\n> and this from Ben\n");
        assert_eq!(own(&format!("Hi!\n\n{WROTE}\n{added}\ncancel\n")), "Hi!\n");
    }

    #[test]
    fn an_order_between_the_lines_of_a_mail_without_marks_is_the_customer_s() {
        let typed = MAIL.replace("more of it?\n", "more of it?\ncancel\n");
        let reply = format!(
            "Hi!\n\n-----Original Message-----\nFrom: Desk <desk@example.com>\nSent: Friday\nTo: Ann\nSubject: Your order\n\n{typed}"
        );
        assert_eq!(own(&reply), "Hi!\n\ncancel\n");
    }

    #[test]
    fn the_fields_of_its_mails_name_no_source() {
        let author = |text: &str| pasted(text).last().map(|line| line.author);
        assert_eq!(author("Ticket: 42\nUrgency: low\n\nB12"), Some(Author::Own));
        let others = author("Kunde: 42\nEile: low\n\nB12");
        assert_eq!(others, Some(Author::Quoted(0)));
    }

    #[test]
    fn an_article_that_is_stated_beside_no_word_of_a_mail_is_ordered() {
        let sent = Sent::nothing().ours(MAIL).carried("I would take B12");
        let lines = classify("B12\n\nIt arrives on Monday.\n", &sent, &HELPDESK);
        assert_eq!(lines[0].author, Author::Own);
        assert_eq!(lines[2].author, Author::Program);
    }
}
