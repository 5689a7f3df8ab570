//! A site of matches: the pages around those of the matches, a cross-table, and a feed.
//!
//! It has what players gave as their names, and no other word of them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use chrono::{DateTime, SecondsFormat, Utc};
use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, UndefinedBehavior, Value, context};
use sha2::{Digest as _, Sha256};

use crate::match_id::Id;
use crate::printable::html;
use crate::render::page::{names, source};
use crate::rules::{Color, Variant};

/// A match as the lists of a site show it.
#[derive(Clone, Debug)]
pub struct SiteEntry {
    /// The id of the match.
    pub id: Id,
    /// The game and its options.
    pub variant: Variant,
    /// The names as they are shown, the first player's first; empty where there is none.
    pub players: [String; 2],
    /// The event; may be empty.
    pub event: String,
    /// The end; none while it goes on.
    pub ended: Option<Ended>,
    /// The time of the last move, or of the end.
    pub last: DateTime<Utc>,
    /// The number of half-moves.
    pub plies: usize,
}

/// The end of a match.
#[derive(Clone, Debug)]
pub struct Ended {
    /// None for a draw.
    pub winner: Option<Color>,
    /// A sentence with its full stop.
    pub sentence: String,
}

/// A page of a site, or its feed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteFile {
    /// The path below the folder of the site, its parts separated by `/`.
    pub path: String,
    pub text: String,
}

impl SiteFile {
    fn new(path: impl Into<String>, text: String) -> SiteFile {
        let path = path.into();
        SiteFile { path, text }
    }
}

const STYLE: &str = concat!(include_str!("look.css"), include_str!("site/site.css"));

/// The folders of the pages, each of them for pages of a site alone.
pub const FOLDERS: [&str; 5] = ["matches", "players", "games", "results", "events"];

/// The templates of all files but the pages of matches.
static TEMPLATES: LazyLock<Environment<'_>> = LazyLock::new(|| {
    let mut templates = Environment::new();
    let syntax = SyntaxConfig::builder()
        .trim_blocks(true)
        .keep_trailing_newline(true)
        .build();
    templates.set_syntax(syntax.unwrap_or_else(|error| unreachable!("{error}")));
    templates.set_undefined_behavior(UndefinedBehavior::Strict);
    templates.set_formatter(|out, _, value| {
        let text = value.to_string();
        let text = if value.is_safe() { text } else { html(&text) };
        Ok(out.write_str(&text)?)
    });
    for (name, template) in [
        ("page.html", include_str!("site/page.html")),
        ("index.html", include_str!("site/index.html")),
        ("players.html", include_str!("site/players.html")),
        ("list.html", include_str!("site/list.html")),
        ("crosstable.html", include_str!("site/crosstable.html")),
        ("feed.xml", include_str!("site/feed.xml")),
    ] {
        let added = templates.add_template(name, template);
        added.unwrap_or_else(|error| unreachable!("{error}"));
    }
    templates
});

/// Returns a name or an event as a site shows it: none that is an address or has one.
pub fn public(text: &str) -> String {
    if text.contains('@') {
        return String::new();
    }
    text.trim().to_owned()
}

/// Writes all pages but those of the matches. `url` is the address of the folder on the
/// web, with a slash at its end. Takes time linear in the matches.
pub fn files(entries: &[SiteEntry], url: Option<&str>) -> Vec<SiteFile> {
    let mut newest: Vec<&SiteEntry> = entries.iter().collect();
    newest.sort_by_key(|&entry| (Reverse(entry.last), &entry.id));
    let groups = groups(&newest);
    let mut files = vec![
        index(&newest, &groups),
        players(&groups),
        SiteFile::new(
            "crosstable.html",
            page("Cross-table", "", &crosstable(&newest)),
        ),
        feed(&newest, url),
    ];
    for (kind, pages) in &groups {
        for (path, group) in pages {
            let table = match kind {
                Kind::Event => crosstable(&group.entries),
                _ => String::new(),
            };
            let body = table + &list(&group.entries, "../");
            files.push(SiteFile::new(path, page(group.title, "../", &body)));
        }
    }
    files
}

/// The kinds of what the matches of a page have in common, in the order of their pages.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    Player,
    Game,
    Result,
    Event,
}

/// The matches of a page.
struct Group<'e> {
    title: &'e str,
    entries: Vec<&'e SiteEntry>,
}

/// The pages by what their matches have in common and by their paths.
type Groups<'e> = BTreeMap<Kind, BTreeMap<String, Group<'e>>>;

fn groups<'e>(newest: &[&'e SiteEntry]) -> Groups<'e> {
    let mut groups = Groups::default();
    for entry in newest {
        let game = entry.variant.game();
        let [result, won_by, _] = result(entry);
        let mut places = vec![
            (Kind::Game, format!("games/{}.html", game.id), game.name),
            (Kind::Result, format!("results/{result}.html"), won_by),
        ];
        let [white, black] = &entry.players;
        let other = Some(black).filter(|black| *black != white);
        let names = [white]
            .into_iter()
            .chain(other)
            .map(|name| (Kind::Player, "players", name));
        for (kind, folder, name) in names.chain([(Kind::Event, "events", &entry.event)]) {
            if !name.is_empty() {
                places.push((kind, format!("{folder}/{}.html", slug(name)), name));
            }
        }
        for (kind, path, title) in places {
            let group = groups
                .entry(kind)
                .or_default()
                .entry(path)
                .or_insert_with(|| Group {
                    title,
                    entries: Vec::new(),
                });
            group.entries.push(entry);
        }
    }
    groups
}

/// Returns the name of the page with matches of that result, its title, and the score.
fn result(entry: &SiteEntry) -> [&'static str; 3] {
    match entry.ended.as_ref().map(|ended| ended.winner) {
        None => ["running", "Still running", "*"],
        Some(Some(Color::White)) => ["first", "Won by the first player", "1\u{2013}0"],
        Some(Some(Color::Black)) => ["second", "Won by the second player", "0\u{2013}1"],
        Some(None) => ["drawn", "Drawn", "\u{bd}\u{2013}\u{bd}"],
    }
}

/// Returns a name for a file: the letters of a text that every system has, and a hash,
/// which distinguishes texts with the same letters, and is all where there is no such letter.
/// The hash has 128 bits, so that nobody finds two texts of one name by trying.
fn slug(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut slug = String::new();
    for c in text.to_ascii_lowercase().chars() {
        if c.is_ascii_alphanumeric() {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
        if slug.len() >= LONGEST {
            break;
        }
    }
    let slug = slug.trim_end_matches('-');
    let dash = if slug.is_empty() { "" } else { "-" };
    format!("{slug}{dash}{:032x}", u128::from_be_bytes(hash(text)))
}

/// Returns the first 128 bits of the hash of a text.
fn hash(text: &str) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&Sha256::digest(text.as_bytes())[..16]);
    bytes
}

/// Writes the first page.
fn index(newest: &[&SiteEntry], groups: &Groups<'_>) -> SiteFile {
    let groups = groups.iter().filter_map(|(kind, pages)| {
        let heading = match kind {
            Kind::Player => return None,
            Kind::Game => "Games",
            Kind::Result => "Results",
            Kind::Event => "Events",
        };
        let pages = pages.iter().map(|(path, group)| {
            let (title, count) = (group.title, group.entries.len());
            context! { path, title, count }
        });
        Some(context! { heading, pages => pages.collect::<Value>() })
    });
    let (groups, newest) = (
        groups.collect::<Value>(),
        &newest[..newest.len().min(NEWEST)],
    );
    let body = filled(
        "index.html",
        context! { groups, newest => list(newest, "") },
    );
    SiteFile::new("index.html", page("Matches", "", &body))
}

/// Writes the page with all players.
fn players(groups: &Groups<'_>) -> SiteFile {
    let players = groups.get(&Kind::Player).into_iter().flatten();
    let players = players.map(|(path, group)| {
        let (mut won, mut drawn, mut lost) = (0, 0, 0);
        for entry in &group.entries {
            for color in Color::ALL {
                if entry.players[color.index()] != group.title {
                    continue;
                }
                match entry.ended.as_ref().map(|ended| halves(ended, color)) {
                    None => {}
                    Some(0) => lost += 1,
                    Some(1) => drawn += 1,
                    Some(_) => won += 1,
                }
            }
        }
        let (name, matches) = (group.title, group.entries.len());
        context! { path, name, matches, won, drawn, lost }
    });
    let body = filled(
        "players.html",
        context! { players => players.collect::<Value>() },
    );
    SiteFile::new("players.html", page("Players", "", &body))
}

/// Writes a list of matches; `up` leads to the folder of the site.
fn list(entries: &[&SiteEntry], up: &str) -> String {
    let entries: Value = entries.iter().map(|entry| shown(entry)).collect();
    filled("list.html", context! { entries, up })
}

/// Returns what a list and the feed tell of a match.
fn shown(entry: &SiteEntry) -> Value {
    let [_, _, score] = result(entry);
    context! {
        id => entry.id.as_str(),
        names => names(&entry.variant, &entry.players),
        game => entry.variant.game().name,
        score,
        moves => entry.plies.div_ceil(2),
        day => entry.last.format("%Y-%m-%d").to_string(),
    }
}

/// Writes a page with a heading; `up` leads to the folder of the site.
fn page(title: &str, up: &str, body: &str) -> String {
    let (style, style_source) = (STYLE, source(STYLE));
    let is_first = up.is_empty() && title == "Matches";
    filled(
        "page.html",
        context! { title, up, body, style, style_source, is_first },
    )
}

/// Fills in a template. Every value is escaped, unless the template says that it is HTML.
fn filled(template: &str, values: Value) -> String {
    let filled = TEMPLATES
        .get_template(template)
        .and_then(|template| template.render(values));
    filled.unwrap_or_else(|error| unreachable!("{error}"))
}

/// The most players of a table, those with the most matches: nobody can read a wider one,
/// and it grows with their square.
const WIDEST: usize = 40;

/// A player and the sum of the results.
struct Row<'e> {
    name: &'e str,
    /// Twice the points: a draw is half a one.
    halves: usize,
    matches: usize,
    /// The same against each other player, the oldest first.
    results: HashMap<&'e str, Vec<usize>>,
}

/// Writes the table of the players of finished matches and their results; nothing if
/// there are none with names.
fn crosstable(entries: &[&SiteEntry]) -> String {
    let mut results: HashMap<&str, HashMap<&str, Vec<usize>>> = HashMap::new();
    // The oldest match first.
    for entry in entries.iter().rev() {
        let [white, black] = entry.players.each_ref().map(String::as_str);
        let Some(ended) = &entry.ended else { continue };
        if white.is_empty() || black.is_empty() || white == black {
            continue;
        }
        for (color, name, other) in [(Color::White, white, black), (Color::Black, black, white)] {
            let against = results.entry(name).or_default().entry(other).or_default();
            against.push(halves(ended, color));
        }
    }
    if results.is_empty() {
        return String::new();
    }
    let row = |(name, results): (_, HashMap<_, Vec<usize>>)| Row {
        name,
        halves: results.values().flatten().sum(),
        matches: results.values().map(Vec::len).sum(),
        results,
    };
    let mut rows: Vec<Row<'_>> = results.into_iter().map(row).collect();
    let players = rows.len();
    rows.sort_by_key(|row| (Reverse(row.matches), row.name));
    rows.truncate(WIDEST);
    rows.sort_by_key(|row| (Reverse(row.halves), row.matches, row.name));
    let shown = rows.iter().map(|row| {
        let cells = rows.iter().map(|other| match row.results.get(other.name) {
            Some(found) => {
                let found: Vec<String> = found.iter().map(|halves| points(*halves)).collect();
                found.join(" ")
            }
            None if row.name == other.name => "\u{2013}".to_owned(),
            None => String::new(),
        });
        let (name, points, matches) = (row.name, points(row.halves), row.matches);
        context! { name, cells => cells.collect::<Value>(), points, matches }
    });
    filled(
        "crosstable.html",
        context! { players, rows => shown.collect::<Value>() },
    )
}

/// Returns twice the points of a side.
fn halves(ended: &Ended, color: Color) -> usize {
    match ended.winner {
        None => 1,
        Some(winner) if winner == color => 2,
        Some(_) => 0,
    }
}

/// Writes points, given twice: `2½`.
fn points(halves: usize) -> String {
    match (halves / 2, halves % 2) {
        (0, 1) => "\u{bd}".to_owned(),
        (whole, 1) => format!("{whole}\u{bd}"),
        (whole, _) => whole.to_string(),
    }
}

/// The most matches in the feed, and in the list of the first page.
const NEWEST: usize = 50;

/// Writes the feed of the matches that ended last (Atom, RFC 4287), the newest first.
fn feed(newest: &[&SiteEntry], url: Option<&str>) -> SiteFile {
    let finished = || newest.iter().filter(|entry| entry.ended.is_some());
    let base = url.unwrap_or_default();
    // The same feed has the same id in each run.
    let id = match (url, finished().next_back()) {
        (Some(url), _) => uuid(url),
        (None, Some(oldest)) => uuid(&format!("archive {}", oldest.id)),
        (None, None) => uuid("archive"),
    };
    let updated = finished().next().map_or(DateTime::UNIX_EPOCH, |e| e.last);
    let entries = finished().take(NEWEST).map(|entry| {
        let time = time(entry.last);
        context! {
            uuid => uuid(&format!("match {} {time}", entry.id)),
            sentence => entry.ended.as_ref().map_or("", |ended| &ended.sentence),
            time,
            ..shown(entry)
        }
    });
    let (updated, entries) = (time(updated), entries.collect::<Value>());
    let feed = filled("feed.xml", context! { id, updated, base, entries });
    SiteFile::new("feed.xml", feed)
}

fn time(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// Returns an id made from a text (RFC 9562, version 8).
fn uuid(text: &str) -> String {
    let mut bytes = hash(&format!("parapost {text}"));
    bytes[6] = bytes[6] & 0x0F | 0x80;
    bytes[8] = bytes[8] & 0x3F | 0x80;
    let hex = format!("{:032x}", u128::from_be_bytes(bytes));
    let parts = [0..8, 8..12, 12..16, 16..20, 20..32].map(|part| &hex[part]);
    format!("urn:uuid:{}", parts.join("-"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    fn won(number: usize, white: &str, black: &str) -> SiteEntry {
        SiteEntry {
            id: format!("m{number}").parse().unwrap(),
            variant: Variant::find("unachess", &[]).unwrap(),
            players: [white, black].map(ToOwned::to_owned),
            event: String::new(),
            ended: Some(Ended {
                winner: Some(Color::White),
                sentence: String::new(),
            }),
            last: "2026-11-20T03:00:00Z".parse().unwrap(),
            plies: 1,
        }
    }

    #[test]
    fn a_table_has_the_players_with_the_most_matches() {
        let mut entries: Vec<SiteEntry> = (0..41)
            .map(|number| won(number, "Anna", &format!("Ben {number:02}")))
            .collect();
        // Without this match Ben 40 would be one too many.
        entries.push(won(41, "Anna", "Ben 40"));
        let entries: Vec<&SiteEntry> = entries.iter().collect();
        let table = crosstable(&entries);
        assert!(table.contains("The 40 players with the most matches, of 42."));
        let rows = table.matches("<th scope=\"row\">").count();
        assert_eq!(rows, WIDEST);
        let has = |name: &str| table.contains(&format!("<bdi>{name}</bdi>"));
        let names = ["Anna", "Ben 37", "Ben 38", "Ben 39", "Ben 40"];
        assert_eq!(names.map(has), [true, true, false, false, true]);
        assert!(table.contains("<td>42 of 42</td>"));
    }
}
