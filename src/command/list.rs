//! `parapost list`: lists the matches and their state.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anstyle::Style;
use clap::Args;
use serde::Serialize;
use textwrap::WordSplitter;

use crate::columns::{self, columns, padded};
use crate::command::context::Context;
use crate::command::listed_match::{Facts, ListedMatch};
use crate::command::status::Status;
use crate::limits::FEW_MATCHES;
use crate::match_id::Id;
use crate::matches::player::Player;
use crate::paint::{self, Paint};
use crate::store::store::{Open, Store};
use crate::threads::{has_memory_limit, on_threads};
use crate::{Error, clock};

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
    pub(super) all: bool,

    /// Write one JSON object instead
    #[arg(long)]
    pub(super) json: bool,
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
    let store = context.store_to_read()?;
    let config = context.config()?;
    let me = config.somebody().map(|me| &me.player);
    let now = clock::now()?;
    for remark in store.remarks(args.all)? {
        context.say(format_args!("parapost: {remark}"));
    }
    let ids = if args.all {
        store.ids()?
    } else {
        store.going_on()?
    };
    let memo = Memo::of(&*store, &ids, me).filter(|_| !args.all);
    let look = Look {
        store: &*store,
        is_of_all: args.all,
        me,
        rows: memo.as_ref().map(Memo::rows),
    };
    let mut seen = Seen::default();
    // A place that cannot be read is no reason to list nothing.
    let imap = config.imap.as_ref();
    let fetched = imap.map(|imap| context.last_fetched(imap));
    if args.json {
        let mut before = "";
        context.print("{\"matches\":[")?;
        look.over(&ids, &mut seen, &mut |facts| {
            context.print(before)?;
            before = ",";
            context.print_part(&ListedMatch::of(facts, now))
        })?;
        context.print("],\"damaged\":")?;
        context.print_part(&seen.damaged)?;
        if let Some(Ok(fetched)) = &fetched {
            context.print(",\"fetched\":")?;
            context.print_part(fetched)?;
        }
        context.print("}\n")?;
    } else {
        let mut rows = Vec::new();
        look.over(&ids, &mut seen, &mut |facts| {
            let listed = ListedMatch::of(facts, now);
            rows.push(Row {
                cells: listed.cells(),
                style: listed.style(),
            });
            Ok(())
        })?;
        if context.is_shown {
            let room = columns::of_terminal();
            if rows.is_empty() {
                context.say(hint(args.all, &*store));
            } else {
                context.print(for_people(&rows, room, context.out))?;
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
    if let Some(memo) = &memo {
        memo.leave(&*store, &seen.rows);
    }
    Ok(Status::of_check(seen.damaged.is_empty()))
}

/// Tells somebody whose list is empty what to do.
fn hint(is_of_all: bool, store: &dyn Store) -> String {
    if is_of_all {
        format!(
            "There is no match in {} yet. 'parapost new' begins one, 'parapost receive' takes in an invitation.",
            store.place()
        )
    } else {
        format!(
            "No match in {} has anything left to do. 'parapost list --all' lists those that are over, 'parapost new' begins one.",
            store.place()
        )
    }
}

/// The way in which matches are looked at for a list.
struct Look<'l> {
    store: &'l dyn Store,
    /// True if those that are over are listed, too.
    is_of_all: bool,
    me: Option<&'l Player>,
    /// The rows that an earlier list has left behind; none if this one leaves nothing.
    rows: Option<Rows<'l>>,
}

/// The parts that are kept of the matches that a list has looked at.
#[derive(Default)]
struct Seen {
    damaged: Vec<Damaged>,
    /// The rows that are left behind for the next list.
    rows: String,
}

/// Matches that a thread has looked at.
#[derive(Default)]
struct Portion {
    facts: Vec<Facts>,
    seen: Seen,
}

impl Look<'_> {
    /// Looks at matches, on as many threads as there are processors, and takes what is to be
    /// listed in the order of the ids. However many there are, a few are held at a time.
    fn over(
        &self,
        ids: &[Id],
        seen: &mut Seen,
        take: &mut dyn FnMut(Facts) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let threads = match thread::available_parallelism() {
            Ok(threads) if !has_memory_limit() && ids.len() > PORTION => threads.get(),
            _ => 1,
        };
        for ids in ids.chunks(PORTION * threads) {
            let portions: Vec<_> = ids
                .chunks(PORTION)
                .map(|ids| (ids, Mutex::default()))
                .collect();
            let next = AtomicUsize::new(0);
            on_threads(threads, &|| {
                while let Some((ids, portion)) = portions.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let looked_at = self.at(ids);
                    *portion.lock().unwrap_or_else(PoisonError::into_inner) = Some(looked_at);
                }
            });
            for (_, portion) in portions {
                let portion = portion.into_inner().unwrap_or_else(PoisonError::into_inner);
                if let Some(portion) = portion.transpose()? {
                    seen.damaged.extend(portion.seen.damaged);
                    seen.rows.push_str(&portion.seen.rows);
                    portion.facts.into_iter().try_for_each(&mut *take)?;
                }
            }
        }
        Ok(())
    }

    /// Looks at some matches.
    fn at(&self, ids: &[Id]) -> Result<Portion, Error> {
        let mut portion = Portion::default();
        let (mut new, mut stamps) = (Vec::new(), Vec::new());
        for id in ids {
            let Some(rows) = &self.rows else {
                new.push(id.clone());
                continue;
            };
            let stamp = self.store.stamp(id);
            let stamped = stamp.as_ref();
            if let Some(facts) = stamped.and_then(|stamp| recalled(rows, id, stamp)) {
                let row = rows.get(id.as_str()).copied().unwrap_or_default();
                let _ = writeln!(portion.seen.rows, "{id} {row}");
                portion.facts.push(facts);
            } else {
                new.push(id.clone());
                stamps.extend(stamp.map(|stamp| (id, stamp)));
            }
        }
        self.store.show(&new, &mut |id, read| match read {
            Ok(game) => {
                if self.is_of_all || Open::of(game).is_any() {
                    let facts = Facts::of(game, self.me);
                    let stamp = stamps.binary_search_by(|(known, _)| (*known).cmp(id));
                    let row = stamp
                        .ok()
                        .and_then(|at| row_left(id, &stamps[at].1, &facts));
                    portion.seen.rows.extend(row);
                    portion.facts.push(facts);
                }
            }
            Err(error) => portion.seen.damaged.push(Damaged {
                id: id.to_string(),
                error: error.to_string(),
            }),
        })?;
        portion.facts.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(portion)
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

/// Its rows, by the ids of the matches: the stamp of the file, and the facts.
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

/// Returns the facts of a match whose text has this stamp, if they were left behind.
fn recalled(rows: &Rows<'_>, id: &Id, stamp: &str) -> Option<Facts> {
    let facts = rows.get(id.as_str())?.strip_prefix(stamp)?;
    let facts: Facts = serde_json::from_str(facts.strip_prefix(' ')?).ok()?;
    (facts.id == id.as_str()).then_some(facts)
}

/// Returns the row of a match whose text had this stamp before it was read.
fn row_left(id: &Id, stamp: &str, facts: &Facts) -> Option<String> {
    let facts = serde_json::to_string(facts).ok()?;
    Some(format!("{id} {stamp} {facts}\n"))
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
        let standing = styled(paint, *style, standing);
        let _ = writeln!(table, "{id:a$}  {game:b$}  {players:c$}  {standing}");
    }
    table
}

/// Lays the rows out for a terminal with so many columns: as a table with headings, or
/// in blocks where that is too narrow.
fn for_people(rows: &[Row], room: usize, paint: Paint) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| columns(&row.cells[column]));
        cells.max().unwrap_or(0).max(columns(HEADINGS[column]))
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
                row.push_str(&styled(paint, *style, &standing));
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
            let _ = writeln!(text, "  {}", styled(paint, *style, &line));
        }
    }
    text
}

fn styled(paint: Paint, style: Style, text: &str) -> String {
    if style == Style::new() {
        text.to_owned()
    } else {
        paint.text(style, text)
    }
}

/// Wraps a text between words, and at hyphens or not: those of a time stay.
fn wrapped(text: &str, room: usize, splitter: WordSplitter) -> Vec<String> {
    let layout = textwrap::Options::new(room).word_splitter(splitter);
    let lines = textwrap::wrap(text, layout);
    lines.into_iter().map(Cow::into_owned).collect()
}
