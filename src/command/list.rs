//! `parapost list`: lists the matches and their state; and a match in that list, as other commands
//! write it in JSON.
//!
//! What `parapost` alone begins with: the matches that wait for the user.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::{fmt, thread};

use anstyle::Style;
use chrono::{DateTime, Utc};
use clap::Args;
use serde::{Deserialize, Serialize};
use textwrap::WordSplitter;

use crate::command::context::{Context, HELD_BACK, Status, given};
use crate::command::last_mail::LastMails;
use crate::command::unproven::Unproven;
use crate::config::Config;
use crate::limits::FEW_MATCHES;
use crate::match_id::Id;
use crate::matches::r#match::Match;
use crate::matches::player::Player;
use crate::paint::Paint;
use crate::printable::{counted_matches, half_moves, padded, terminal_width};
use crate::render::text::side;
use crate::rules::{Color, games};
use crate::store::store::{Open, Store};
use crate::threads::{self, has_memory_limit};
use crate::{Error, clock, paint, printable};

/// `parapost list`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parapost list
  parapost list --all

A match that is over and owes no mail is listed with --all only.")]
pub(super) struct List {
    /// List the matches that are over, too
    #[arg(long)]
    all: bool,

    /// Write one JSON object instead
    #[arg(long)]
    json: bool,
}

/// The matches that a thread lists at a time.
const PORTION: usize = 256;

/// A match whose file cannot be read.
#[derive(Serialize)]
struct Damaged {
    id: String,
    error: String,
}

pub(super) fn run(args: &List, context: &mut Context<'_>) -> Result<Status, Error> {
    // Somebody new has no matches, which is no fault.
    let is_new = context.lacks_own_games()?;
    let store = if is_new {
        context.store()?
    } else {
        context.store_to_read()?
    };
    let config = context.config()?;
    let me = config.somebody().map(|me| &me.player);
    let now = clock::now()?;
    for remark in store.remarks(args.all)? {
        context.say(format_args!("parapost: {remark}"));
    }
    let ids = if args.all {
        store.ids()
    } else {
        store.going_on()
    }?;
    let memo = Memo::of(&*store, &ids, me).filter(|_| !args.all);
    let look = Look {
        store: &*store,
        is_of_all: args.all,
        me,
        now,
        rows: memo.as_ref().map(Memo::rows),
        mails: LastMails::of(context.sent(&*store), &context.outbox()?),
    };
    let mut seen = Seen::default();
    // A place that cannot be read is no reason to list nothing.
    let imap = config.imap.as_ref();
    let fetched = imap.map(|imap| context.last_fetched(imap));
    if args.json {
        let mut before = "";
        context.print("{\"matches\":[")?;
        look.over(&ids, &mut seen, &mut |listed| {
            context.print(before)?;
            before = ",";
            context.print_part(&listed)
        })?;
        context.print("],\"damaged\":")?;
        context.print_part(&seen.damaged)?;
        match &fetched {
            Some(Ok(fetched)) => {
                context.print(",\"fetched\":")?;
                context.print_part(fetched)?;
            }
            Some(Err(error)) => context.say_error(error),
            None => {}
        }
        context.print("}\n")?;
    } else {
        let mut rows = Vec::new();
        look.over(&ids, &mut seen, &mut |listed| {
            rows.push(Row {
                cells: listed.cells(),
                style: listed.style(),
            });
            Ok(())
        })?;
        if is_new {
            context.say(format_args!(
                "There are no matches yet. 'parapost new' begins one, 'parapost receive' takes in an invitation; their folder is {}.",
                store.place()
            ));
        } else if context.is_shown {
            let room = terminal_width();
            match rows.as_slice() {
                [] => context.say(hint(args.all, &*store)),
                rows => context.print(for_people(rows, room, context.out))?,
            }
        } else {
            context.print(plain(&rows, context.out))?;
        }
        for Damaged { error, .. } in &seen.damaged {
            context.say_error(error);
        }
        match fetched {
            None => {}
            Some(Ok(Some(time))) => {
                context.say(format_args!("Mail was last fetched to its end: {time}."));
            }
            Some(Ok(None)) => {
                context.say("Mail has never been fetched to its end: 'parapost fetch' reads it.");
            }
            Some(Err(error)) => context.say_error(&error),
        }
    }
    // What it fails with has been said above.
    if let Some(Ok(Some(held))) = imap.map(|imap| context.held_back(imap)) {
        context.say(format_args!("parapost: {held}; {HELD_BACK}"));
    }
    if let Ok(unproven) = Unproven::read() {
        // Other folders of matches share the file.
        let is_here = |id: &Id| store.find(id).is_ok_and(|found| found.is_some());
        for letters in unproven.told(is_here).take(MOST_UNPROVEN) {
            context.say(format_args!(
                "parapost: {letters}; docs/identity.md says what your policy asks for"
            ));
        }
    }
    if let Some(memo) = &memo {
        memo.leave(&*store, &seen.rows);
    }
    Ok(Status::of_check(seen.damaged.is_empty()))
}

/// The most players of whose unproven letters a list tells.
const MOST_UNPROVEN: usize = 5;

/// Tells somebody whose list is empty what to do.
fn hint(is_of_all: bool, store: &dyn Store) -> String {
    let place = store.place();
    if is_of_all {
        format!(
            "There is no match in {place} yet. 'parapost new' begins one, 'parapost receive' takes in an invitation."
        )
    } else {
        format!(
            "No match in {place} has anything left to do. 'parapost list --all' lists those that are over, 'parapost new' begins one."
        )
    }
}

/// The way in which matches are looked at for a list.
struct Look<'l> {
    store: &'l dyn Store,
    /// True if those that are over are listed, too.
    is_of_all: bool,
    me: Option<&'l Player>,
    now: DateTime<Utc>,
    /// The rows that an earlier list has left behind; none if this one leaves nothing.
    rows: Option<Rows<'l>>,
    mails: LastMails,
}

/// The matches that a list or a thread has looked at.
#[derive(Default)]
struct Seen {
    /// Those to be listed, until they are.
    listed: Vec<ListedMatch>,
    damaged: Vec<Damaged>,
    /// The rows that are left behind for the next list.
    rows: String,
}

impl Look<'_> {
    /// Looks at matches, on as many threads as there are processors, and takes what is to be
    /// listed in the order of the ids. However many there are, a few are held at a time.
    fn over(
        &self,
        ids: &[Id],
        seen: &mut Seen,
        take: &mut dyn FnMut(ListedMatch) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let threads = match thread::available_parallelism() {
            Ok(threads) if !has_memory_limit() && ids.len() > PORTION => threads.get(),
            _ => 1,
        };
        for ids in ids.chunks(PORTION * threads) {
            let portions: Vec<&[Id]> = ids.chunks(PORTION).collect();
            for portion in threads::map(&portions, threads, |ids| self.at(ids)) {
                let portion = portion?;
                seen.damaged.extend(portion.damaged);
                seen.rows.push_str(&portion.rows);
                portion.listed.into_iter().try_for_each(&mut *take)?;
            }
        }
        Ok(())
    }

    /// Looks at some matches.
    fn at(&self, ids: &[Id]) -> Result<Seen, Error> {
        let mut seen = Seen::default();
        let (mut new, mut stamps) = (Vec::new(), Vec::new());
        for id in ids {
            let Some(rows) = &self.rows else {
                new.push(id.clone());
                continue;
            };
            let stamp = self.store.stamp(id);
            if let Some(listed) = stamp.as_ref().and_then(|stamp| recalled(rows, id, stamp)) {
                let row = rows.get(id.as_str()).copied().unwrap_or_default();
                let _ = writeln!(seen.rows, "{id} {row}");
                seen.listed.push(listed.at(self.now));
            } else {
                new.push(id.clone());
                stamps.extend(stamp.map(|stamp| (id, stamp)));
            }
        }
        self.store.show(&new, &mut |id, read| match read {
            Ok(game) => {
                if self.is_of_all || Open::of(game).is_any() {
                    let mut listed = ListedMatch::of(game, self.me, self.now);
                    listed.missing_mail |= self.mails.lacks(game);
                    // The stamp that its text had before it was read.
                    let stamp = stamps.binary_search_by(|(known, _)| (*known).cmp(id));
                    if let (Ok(at), Ok(row)) = (stamp, serde_json::to_string(&listed)) {
                        let _ = writeln!(seen.rows, "{id} {} {row}", stamps[at].1);
                    }
                    seen.listed.push(listed);
                }
            }
            Err(error) => seen.damaged.push(Damaged {
                id: id.to_string(),
                error: error.to_string(),
            }),
        })?;
        seen.listed.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(seen)
    }
}

/// The rows that a list of many matches leaves behind for the next one: a match whose file is the
/// same is not read and replayed again.
///
/// ```text
/// 0.1.0 Ref <ref@example.org>
/// k7f3qd 2049.131.1530.… {"id":"k7f3qd","game":"unachess",…}
/// ```
struct Memo {
    text: String,
    head: String,
}

/// Its rows, by the ids of the matches: the stamp of the file, and the line of the list.
type Rows<'m> = HashMap<&'m str, &'m str>;

impl Memo {
    /// Reads what the last list has left behind. Returns none for a list of a few matches, which
    /// leaves nothing.
    fn of(store: &dyn Store, ids: &[Id], me: Option<&Player>) -> Option<Memo> {
        if ids.len() <= FEW_MATCHES {
            return None;
        }
        let me = me.map(ToString::to_string).unwrap_or_default();
        let text = String::from_utf8(store.memo()?).unwrap_or_default();
        Some(Memo {
            text,
            // Another user has other turns, and another program may read a file otherwise.
            head: format!("{} {me}", env!("CARGO_PKG_VERSION")).replace('\n', " "),
        })
    }

    fn rows(&self) -> Rows<'_> {
        match self.text.split_once('\n') {
            Some((head, rows)) if head == self.head => {
                rows.lines().filter_map(|row| row.split_once(' ')).collect()
            }
            _ => HashMap::new(),
        }
    }

    /// Leaves rows behind for the next list.
    fn leave(&self, store: &dyn Store, rows: &str) {
        if self.text.split_once('\n') != Some((&self.head, rows)) {
            // Without it the next list reads the matches again.
            store.set_memo(format!("{}\n{rows}", self.head).as_bytes());
        }
    }
}

/// Returns the line of a match whose text has this stamp, if it was left behind.
fn recalled(rows: &Rows<'_>, id: &Id, stamp: &str) -> Option<ListedMatch> {
    let listed = rows.get(id.as_str())?.strip_prefix(stamp)?;
    let listed: ListedMatch = serde_json::from_str(listed.strip_prefix(' ')?).ok()?;
    (listed.id == id.as_str()).then_some(listed)
}

/// The headings of the table for people.
const HEADINGS: [&str; 4] = ["ID", "GAME", "PLAYERS", "STANDING"];

/// The columns between two cells.
const GAP: usize = 2;

/// The least columns of the players and of the standing, before the table gives way to
/// blocks.
const LEAST: [usize; 2] = [15, 25];

/// The cells of a match, and the style of the last of them.
struct Row {
    cells: [String; 4],
    style: Style,
}

/// Lays the rows out in columns, one line each, for programs and pipes: cells are
/// filled up by characters, and nothing is cut.
fn plain(rows: &[Row], paint: Paint) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row.cells[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let [a, b, c] = [width(0), width(1), width(2)];
    let mut table = String::new();
    for Row { cells, style } in rows {
        let [id, game, players, standing] = cells;
        let standing = paint.text(*style, standing);
        let _ = writeln!(table, "{id:a$}  {game:b$}  {players:c$}  {standing}");
    }
    table
}

/// Lays the rows out for a terminal with so many columns: as a table with headings, or
/// in blocks where that is too narrow.
fn for_people(rows: &[Row], room: usize, paint: Paint) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| printable::width(&row.cells[column]));
        cells
            .max()
            .unwrap_or(0)
            .max(printable::width(HEADINGS[column]))
    };
    let [id, game, players, standing] = [0, 1, 2, 3].map(width);
    let left = room.saturating_sub(id + game + 2 * GAP);
    let [least_players, least_standing] = LEAST;
    let (players, standing) = if players + GAP + standing <= left {
        (players, standing)
    } else if left >= least_players + GAP + least_standing {
        let room_of_players = left.saturating_sub(GAP + standing).max(left / 3);
        let players = players.min(room_of_players.max(least_players));
        (players, left - GAP - players)
    } else {
        return blocks(rows, room, paint);
    };
    let widths = [id, game, players];
    let mut table = String::new();
    let [heads @ .., last] = HEADINGS;
    for (head, width) in heads.iter().zip(widths) {
        let _ = write!(
            table,
            "{}  ",
            paint.text(paint::STRONG, padded(head, width))
        );
    }
    let _ = writeln!(table, "{}", paint.text(paint::STRONG, last));
    for Row { cells, style } in rows {
        let [id, game, players, last] = cells;
        let players = wrapped(players, widths[2], WordSplitter::HyphenSplitter);
        let standings = wrapped(last, standing, WordSplitter::NoHyphenation);
        for at in 0..players.len().max(standings.len()) {
            let line = |lines: &[String]| lines.get(at).cloned().unwrap_or_default();
            let (id, game) = if at == 0 {
                (id.as_str(), game.as_str())
            } else {
                ("", "")
            };
            let cells = [id, game, &line(&players)];
            let mut row = String::new();
            for (cell, width) in cells.into_iter().zip(widths) {
                let _ = write!(row, "{}  ", padded(cell, width));
            }
            let standing = line(&standings);
            if !standing.is_empty() {
                row.push_str(&paint.text(*style, &standing));
            }
            let _ = writeln!(table, "{}", row.trim_end());
        }
    }
    table
}

/// Writes a match in some lines.
fn blocks(rows: &[Row], room: usize, paint: Paint) -> String {
    let mut text = String::new();
    for Row { cells, style } in rows {
        let [id, game, players, standing] = cells;
        let id = paint.text(paint::STRONG, id);
        let _ = writeln!(text, "{id}  {game}");
        let inner = room.saturating_sub(GAP).max(8);
        for line in wrapped(players, inner, WordSplitter::HyphenSplitter) {
            let _ = writeln!(text, "  {line}");
        }
        for line in wrapped(standing, inner, WordSplitter::NoHyphenation) {
            let _ = writeln!(text, "  {}", paint.text(*style, &line));
        }
    }
    text
}

/// Wraps a text between words, and at hyphens or not: those of a time stay.
fn wrapped(text: &str, room: usize, splitter: WordSplitter) -> Vec<String> {
    let lines = textwrap::wrap(text, textwrap::Options::new(room).word_splitter(splitter));
    lines.into_iter().map(Cow::into_owned).collect()
}

/// A line of the list, as programs get it and as it is left behind for the next list.
#[derive(Serialize, Deserialize)]
pub(super) struct ListedMatch {
    id: String,
    /// The rule set, as the command line names it.
    game: String,
    options: Vec<String>,
    white: String,
    black: String,
    plies: usize,
    /// `white` or `black`; null once the match is over.
    turn: Option<String>,
    /// True if it is the user's turn; null without a configuration, but in a match against the program.
    yours: Option<bool>,
    deadline: Option<String>,
    overdue: bool,
    /// The time at which the invitation lapses, while nobody invited has played; else null.
    until: Option<String>,
    /// True if that time has passed.
    lapsed: bool,
    /// The score and the reason; null while the match goes on.
    result: Option<String>,
    /// The number of owed mails.
    owed: usize,
    /// The number of mails that were refused for good.
    undelivered: usize,
    /// The number of mails of which a delivery report says that they have not arrived.
    reported: usize,
    /// The number of mails that lie in a folder, and that nobody has sent.
    filed: usize,
    /// True if a letter answers a mail of ours that the file lacks.
    missing_mail: bool,
    /// What there is of it in a newsgroup or on a mailing list; null if nothing is.
    news: Option<ListedNews>,
    // What follows is for programs alone.
    fen: String,
    /// The last half-move in canonical form, with its mark; null before the first.
    last_move: Option<String>,
    addresses: Addresses,
}

/// What there is of a match in a newsgroup or on a mailing list.
#[derive(Serialize, Deserialize)]
pub(super) struct ListedNews {
    /// The group that the players agreed on, else that of the last article; null if there is none.
    group: Option<String>,
    /// The mailing list that the players agreed on; null if there is none.
    list: Option<String>,
    /// True if this match is posted there move by move.
    goes_on: bool,
    /// The number of articles that were posted, wherever.
    pub(super) posted: usize,
    /// The number of articles that are owed. They count as owed mails, too.
    pub(super) owed: usize,
    /// The number of articles that were refused for good.
    refused: usize,
    /// The number of mails to a list that were reported undelivered. They count as reported mails, too.
    reported: usize,
}

impl ListedNews {
    pub(super) fn of(game: &Match) -> Option<ListedNews> {
        let agreed = game.settings().news.as_ref();
        let latest = || {
            game.articles()
                .filter_map(|article| article.forum.group())
                .last()
        };
        let group = agreed.or_else(latest).map(ToString::to_string);
        let list = game.settings().list.as_ref().map(ToString::to_string);
        (group.is_some() || list.is_some()).then(|| ListedNews {
            group,
            list,
            goes_on: !game.forums().is_empty() && game.turn().is_some(),
            posted: game.posted_articles().len(),
            owed: game.owed_articles().len(),
            refused: game.refused_articles().len(),
            reported: game.reported_articles().len(),
        })
    }
}

impl fmt::Display for ListedNews {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = if self.goes_on { ", move by move" } else { "" };
        let group = self.group.iter().map(|group| format!("in {group}"));
        let list = self.list.iter().map(|list| format!("on {list}"));
        let places: Vec<String> = group.chain(list).collect();
        write!(f, "{}{how}", places.join(" and "))
    }
}

/// The addresses that speak for each player, those added in the match included.
#[derive(Serialize, Deserialize)]
struct Addresses {
    white: Vec<String>,
    black: Vec<String>,
}

impl fmt::Display for ListedMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.cells().join("  "))
    }
}

impl ListedMatch {
    /// Returns the line of a match, for this user at a time.
    pub(super) fn of(game: &Match, me: Option<&Player>, now: DateTime<Utc>) -> ListedMatch {
        let turn = game.turn();
        let is_known = me.is_some() || game.is_at_terminal();
        let sides = is_known.then(|| game.own_sides(me));
        let options = game.variant().options().iter();
        let addresses = |color: Color| {
            let own = game.player(color).addresses().iter();
            let added = game.state.claims.added(color).iter();
            own.chain(added).map(ToString::to_string).collect()
        };
        let listed = ListedMatch {
            id: game.id().to_string(),
            game: game.variant().game().id.to_owned(),
            options: options.map(|option| (*option).to_owned()).collect(),
            white: game.player(Color::White).name().to_owned(),
            black: game.player(Color::Black).name().to_owned(),
            plies: game.record().steps().len(),
            turn: turn.map(|turn| side(turn).to_owned()),
            yours: sides.map(|sides| turn.is_some_and(|turn| sides.contains(&turn))),
            deadline: game.deadline().map(clock::write),
            overdue: false,
            until: game.lapses_at().map(clock::write),
            lapsed: false,
            result: game.ending().map(|ending| ending.to_string()),
            owed: game.owed().len() + game.owed_articles().len(),
            undelivered: game.undelivered().len() + game.refused_articles().len(),
            reported: game.reported().len() + game.reported_articles().len(),
            filed: game.filed().count(),
            missing_mail: game.player_of_missing_mail().is_some(),
            news: ListedNews::of(game),
            fen: game.position().fen(),
            last_move: game.record().steps().last().map(ToString::to_string),
            addresses: Addresses {
                white: addresses(Color::White),
                black: addresses(Color::Black),
            },
        };
        listed.at(now)
    }

    /// Returns the line at another time, at which the match is the same.
    fn at(self, now: DateTime<Utc>) -> ListedMatch {
        let deadline = self.deadline.as_deref().and_then(clock::read);
        let until = self.until.as_deref().and_then(clock::read);
        ListedMatch {
            overdue: deadline.is_some_and(|deadline| deadline < now),
            lapsed: until.is_some_and(|until| until <= now),
            ..self
        }
    }

    /// Returns the name of the player to move: that of the side in this game.
    fn to_move(&self) -> Option<&'static str> {
        let turn = self.turn.as_deref()?;
        let color = Color::ALL.into_iter().find(|color| side(*color) == turn)?;
        Some(games::find(&self.game)?.rules.player(color))
    }

    /// Returns the cells of the match in a table.
    fn cells(&self) -> [String; 4] {
        let mut standing = match (self.to_move(), &self.result) {
            (Some(player), _) if self.yours == Some(true) => format!("{player} to move (you)"),
            (Some(player), _) => format!("{player} to move"),
            (None, result) => result.clone().unwrap_or_default(),
        };
        if let Some(deadline) = &self.deadline {
            let word = if self.overdue { "overdue since" } else { "by" };
            standing = format!("{standing} {word} {deadline}");
        }
        if let Some(until) = &self.until {
            standing = if self.lapsed {
                format!("the invitation has lapsed, {until}")
            } else {
                format!("{standing}, invited until {until}")
            };
        }
        let news = self.news.as_ref();
        let [owed, refused, reported] =
            news.map_or([0; 3], |news| [news.owed, news.refused, news.reported]);
        for (count, what, done) in [
            (self.owed.saturating_sub(owed), "mail", "owed"),
            (self.undelivered.saturating_sub(refused), "mail", "refused"),
            (
                self.reported.saturating_sub(reported),
                "mail",
                "reported undelivered",
            ),
            (self.filed, "mail", "unsent in a folder"),
            (owed, "article", "owed"),
            (refused, "article", "refused"),
            (reported, "article", "reported undelivered"),
        ] {
            standing = match (count, what) {
                (0, _) => standing,
                (1, "article") => format!("{standing}, an article {done}"),
                (1, _) => format!("{standing}, a {what} {done}"),
                (several, _) => format!("{standing}, {several} {what}s {done}"),
            };
        }
        if let Some(news) = news {
            standing = format!("{standing}, {news}");
        }
        if self.missing_mail {
            let id = &self.id;
            standing = format!(
                "{standing}, a mail of yours is missing here: is this file a backup? ('parapost repair {id} --from FILE')"
            );
        }
        [
            self.id.clone(),
            self.game.clone(),
            format!("{} - {}", self.white, self.black),
            format!("{}, {standing}", half_moves(self.plies)),
        ]
    }

    /// Returns the style of the last cell.
    fn style(&self) -> Style {
        match &self.turn {
            _ if self.overdue => paint::ERROR,
            _ if self.owed + self.undelivered + self.reported > 0 || self.missing_mail => {
                paint::WARNING
            }
            Some(_) if self.yours == Some(true) => paint::YOURS,
            Some(_) => Style::new(),
            None => paint::FAINT,
        }
    }
}

/// The matches that are shown.
const SHOWN: usize = 5;

/// The longest wait for matches that somebody else works on, in seconds.
const WAIT: u16 = 1;

/// Tells which matches wait for the user, in lines with an empty one behind them; an empty text if
/// none does, or that cannot be told: nobody has asked for it.
pub(super) fn of_waiting(context: &mut Context<'_>) -> String {
    context.global.wait = WAIT;
    let Some((waiting, damaged)) = waiting(context) else {
        return String::new();
    };
    let mut text = String::new();
    if !waiting.is_empty() {
        let verb = if waiting.len() == 1 { "waits" } else { "wait" };
        let _ = writeln!(text, "{} {verb} for you:", counted_matches(waiting.len()));
    }
    for listed in waiting.iter().take(SHOWN) {
        let _ = writeln!(text, "  {listed}");
    }
    if let Some(more @ 1..) = waiting.len().checked_sub(SHOWN) {
        let _ = writeln!(text, "  and {more} more: parapost list");
    }
    for id in damaged.iter().take(SHOWN) {
        let _ = writeln!(text, "The file of {id} is damaged: parapost verify {id}");
    }
    if text.is_empty() { text } else { text + "\n" }
}

/// Returns the matches that wait for the user, those with the nearest deadline first, and those whose
/// file cannot be read. Returns none if too many would have to be read for that.
fn waiting(context: &Context<'_>) -> Option<(Vec<ListedMatch>, Vec<Id>)> {
    let config = Config::load(given(context.global.config.as_deref())).ok()?;
    let me = &config.somebody()?.player;
    let (store, now) = (context.store_to_read().ok()?, clock::now().ok()?);
    let ids = store.going_on().ok()?;
    let memo = Memo::of(&*store, &ids, Some(me));
    let rows = memo.as_ref().map(Memo::rows).unwrap_or_default();
    let (mut waiting, mut damaged, mut read) = (Vec::new(), Vec::new(), 0);
    for id in &ids {
        let stamp = (!rows.is_empty()).then(|| store.stamp(id)).flatten();
        let listed = match stamp.and_then(|stamp| recalled(&rows, id, &stamp)) {
            Some(listed) => listed.at(now),
            None if read == FEW_MATCHES => return None,
            None => {
                read += 1;
                match store.find(id) {
                    Ok(Some(stored)) => ListedMatch::of(&stored.game, Some(me), now),
                    Ok(None) => continue,
                    Err(error) => {
                        if !error.is_transient() {
                            damaged.push(id.clone());
                        }
                        continue;
                    }
                }
            }
        };
        if listed.yours == Some(true) && !listed.lapsed {
            waiting.push(listed);
        }
    }
    waiting.sort_by_cached_key(|listed| (listed.deadline.is_none(), listed.deadline.clone()));
    Some((waiting, damaged))
}
