//! `parapost news comments`: shows what others have written about a match in its newsgroup.
//!
//! Nothing of it is kept. Every word is a stranger's: what could control a terminal is left out,
//! and what is quoted stands behind a quote mark, whichever way its writer's program shows that.

use std::collections::VecDeque;
use std::fmt::Write as _;

use clap::Args;
use serde::Serialize;

use crate::Error;
use crate::command::context::{Context, Status};
use crate::config::news::NewsSettings;
use crate::inbound::incoming_message;
use crate::inbound::known::is_comment;
use crate::limits::{COMMENT_LINES, COMMENTS};
use crate::mail::limits::NEWS_FIRST;
use crate::mail::message::parts::MailHead;
use crate::mail::nntp::connection::NntpError;
use crate::mail::nntp::group::{FetchedArticle, GroupReader, Overview};
use crate::mail::nntp::newsgroup::Newsgroup;
use crate::mail::nntp::{self, connect};
use crate::mail::quoting::line::Author;
use crate::mail::quoting::sent::Sent;
use crate::match_id::Id;
use crate::notation::reader::classify;
use crate::printable::{counted, fold, one_line};
use crate::referee::session::Session;

/// The columns of what goes elsewhere than to a terminal.
const COLUMNS: usize = 80;

/// `parapost news comments`
#[derive(Args, Debug)]
pub(super) struct Comments {
    /// The match
    id: Id,
    /// The newsgroup [default: the one of its articles, else that of the configuration]
    #[arg(long, value_name = "NAME")]
    group: Option<Newsgroup>,
    /// Look at so many numbers below the last article of the group
    #[arg(long, value_name = "NUMBERS", default_value_t = NEWS_FIRST, value_parser = clap::value_parser!(u64).range(1..))]
    back: u64,
    /// Write a JSON object
    #[arg(long)]
    json: bool,
}

/// The comments on a match.
#[derive(Serialize)]
struct Listed {
    id: String,
    group: String,
    comments: Vec<Comment>,
    /// The older ones, which are not among them.
    left_out: u64,
}

/// What somebody has written, by its own account.
#[derive(Serialize)]
struct Comment {
    message_id: String,
    from: String,
    date: Option<String>,
    subject: String,
    /// The text, with quote marks before what is quoted.
    text: String,
}

pub(super) fn run(
    args: &Comments,
    session: &Session,
    news: &NewsSettings,
    context: &mut Context<'_>,
) -> Result<Status, Error> {
    let game = session.store.read(&args.id)?.game;
    let group = args
        .group
        .as_ref()
        .or(game.settings().news.as_ref())
        .or_else(|| game.news_groups().into_iter().next())
        .unwrap_or(&news.group);
    let columns = context.room().unwrap_or(COLUMNS);
    let mut connection = connect(&news.server)?;
    let cannot = |error: NntpError| nntp::failed(&news.server, "cannot be read", error);
    let mut numbers = VecDeque::new();
    let mut listed = Listed {
        id: game.id().to_string(),
        group: group.to_string(),
        comments: Vec::new(),
        left_out: 0,
    };
    let mut reader =
        GroupReader::begin(&mut connection, group, None, Some(args.back)).map_err(cannot)?;
    let mut shown = 0_u64;
    // Only the newest ones are fetched.
    let mut note = |overview: &Overview| {
        if is_comment(&game, overview, group) {
            numbers.push_back(overview.number);
        }
        if numbers.len() > COMMENTS {
            numbers.pop_front();
            listed.left_out += 1;
        }
        false
    };
    while reader
        .next(&mut connection, &mut note)
        .map_err(cannot)?
        .is_some()
    {}
    for number in numbers {
        let fetched = connection.article(number).map_err(cannot)?;
        let comment = match &fetched {
            FetchedArticle::Article(bytes) => Comment::of(bytes),
            FetchedArticle::TooLong | FetchedArticle::Gone => None,
        };
        match comment {
            Some(comment) if args.json => listed.comments.push(comment),
            Some(comment) => {
                context.print(comment.shown(columns))?;
                shown += 1;
            }
            None => listed.left_out += 1,
        }
        if !connection.is_in_step() {
            break;
        }
    }
    nntp::leave(connection);
    let left_out = listed.left_out;
    if args.json {
        context.print_json(&listed)?;
        return Ok(Status::Done);
    }
    if shown + left_out == 0 {
        context.say(format_args!(
            "{}: nobody has written about it in the last {} numbers of {group}",
            args.id, args.back
        ));
    } else if left_out > 0 {
        let articles = counted(usize::try_from(left_out).unwrap_or(usize::MAX), "article");
        context.say(format_args!(
            "{}: {articles} of {group} not shown: older, too long or gone",
            args.id
        ));
    }
    Ok(Status::Done)
}

impl Comment {
    /// Reads a comment; none if it is beyond a limit.
    fn of(bytes: &[u8]) -> Option<Comment> {
        let message = incoming_message::read(bytes).ok()?;
        let head = MailHead::read(bytes);
        Some(Comment {
            message_id: message.id.to_string(),
            from: head.from,
            date: head.date,
            subject: message.subject,
            text: quoted(&message.text),
        })
    }

    /// Shows the comment in lines of so many columns.
    fn shown(&self, columns: usize) -> String {
        let mut text = String::new();
        for (name, value) in [
            ("From", Some(&self.from)),
            ("Date", self.date.as_ref()),
            ("Subject", Some(&self.subject)),
        ] {
            let Some(value) = value else { continue };
            for line in fold(&one_line(&format!("{name}: {value}")), columns) {
                let _ = writeln!(text, "{line}");
            }
        }
        let _ = writeln!(text);
        let mut lines = fold(self.text.trim(), columns);
        let all = lines.len();
        lines.truncate(COMMENT_LINES);
        for line in &lines {
            let _ = writeln!(text, "{line}");
        }
        if all > lines.len() {
            let _ = writeln!(text, "[{} left out]", counted(all - lines.len(), "line"));
        }
        text + "\n"
    }
}

/// Returns a text in which each line that somebody else has written stands behind quote marks.
fn quoted(text: &str) -> String {
    let lines = classify(text, &Sent::nothing());
    let lines = lines.iter().map(|line| match line.author {
        Author::Quoted(depth) => {
            let marks = ">".repeat(depth.max(1));
            format!("{marks} {}\n", line.text.trim_end().trim_start_matches(' '))
        }
        _ => format!("{}\n", line.source),
    });
    lines.collect()
}
