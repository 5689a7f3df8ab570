//! A site of matches: the pages around those of the matches, a cross-table, and a feed.
//!
//! It has what players gave as their names, and no other word of them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use chrono::{DateTime, SecondsFormat, Utc};
use sha2::{Digest as _, Sha256};

use crate::match_id::Id;
use crate::printable::html;
use crate::render::page::{ARCHIVED, MARK, START, names, source};
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
    let mut body = String::from("<nav>\n<ul>\n");
    for (path, title) in [
        ("players.html", "Players"),
        ("crosstable.html", "Cross-table"),
        ("feed.xml", "Feed"),
    ] {
        let _ = writeln!(body, "<li><a href=\"{path}\">{title}</a></li>");
    }
    body.push_str("</ul>\n");
    for (kind, pages) in groups {
        let heading = match kind {
            Kind::Player => continue,
            Kind::Game => "Games",
            Kind::Result => "Results",
            Kind::Event => "Events",
        };
        let _ = writeln!(body, "<h2>{heading}</h2>\n<ul>");
        for (path, group) in pages {
            let (title, count) = (html(group.title), group.entries.len());
            let _ = writeln!(
                body,
                "<li><a href=\"{path}\"><bdi>{title}</bdi></a> ({count})</li>"
            );
        }
        body.push_str("</ul>\n");
    }
    body.push_str("</nav>\n<h2>The newest</h2>\n");
    body.push_str(&list(&newest[..newest.len().min(NEWEST)], ""));
    SiteFile::new("index.html", page("Matches", "", &body))
}

/// Writes the page with all players.
fn players(groups: &Groups<'_>) -> SiteFile {
    let mut body = table_head("", &["Player", "Matches", "Won", "Drawn", "Lost"]);
    for (path, group) in groups.get(&Kind::Player).into_iter().flatten() {
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
        let (title, count) = (html(group.title), group.entries.len());
        let _ = writeln!(
            body,
            "<tr><th scope=\"row\"><a href=\"{path}\"><bdi>{title}</bdi></a></th>\
             <td>{count}</td><td>{won}</td><td>{drawn}</td><td>{lost}</td></tr>"
        );
    }
    body.push_str(TABLE_END);
    SiteFile::new("players.html", page("Players", "", &body))
}

/// Writes a list of matches; `up` leads to the folder of the site.
fn list(entries: &[&SiteEntry], up: &str) -> String {
    if entries.is_empty() {
        return "<p>There is no match yet.</p>\n".to_owned();
    }
    let mut list = table_head("", &["Match", "Game", "Result", "Moves", "Day"]);
    for entry in entries {
        let [_, _, score] = result(entry);
        let _ = writeln!(
            list,
            "<tr><th scope=\"row\"><a href=\"{up}matches/{}.html\">{}</a></th>\
             <td>{}</td><td>{score}</td><td>{}</td><td>{}</td></tr>",
            entry.id,
            between(entry),
            html(entry.variant.game().name),
            entry.plies.div_ceil(2),
            entry.last.format("%Y-%m-%d")
        );
    }
    list.push_str(TABLE_END);
    list
}

/// Writes the names of both players.
fn between(entry: &SiteEntry) -> String {
    let names = names(&entry.variant, &entry.players);
    let names = names.map(|name| format!("<bdi>{}</bdi>", html(&name)));
    names.join(" \u{2013} ")
}

/// Writes a table up to its first row, its class with a blank before it.
fn table_head(class: &str, heads: &[&str]) -> String {
    let mut head = format!(
        "<div class=\"wide\" role=\"region\" aria-label=\"Table\" tabindex=\"0\"><table{class}>\n<thead><tr>"
    );
    for name in heads {
        let _ = write!(head, "<th scope=\"col\">{name}</th>");
    }
    head + "</tr></thead>\n<tbody>\n"
}

const TABLE_END: &str = "</tbody>\n</table></div>\n";

/// Writes a page with a heading; `up` leads to the folder of the site.
fn page(title: &str, up: &str, body: &str) -> String {
    let title = html(title);
    let style = source(STYLE);
    let home = match (up, title.as_str()) {
        ("", "Matches") => String::new(),
        _ => format!("<p><a href=\"{up}index.html\">All matches</a></p>\n"),
    };
    format!(
        "{START}\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{ARCHIVED}list\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src {style}; \
         base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n{MARK}\n\
         <link rel=\"alternate\" type=\"application/atom+xml\" href=\"{up}feed.xml\" title=\"Matches\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<header>\n\
         <h1><bdi>{title}</bdi></h1>\n{home}</header>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )
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
    let all = rows.len();
    rows.sort_by_key(|row| (Reverse(row.matches), row.name));
    rows.truncate(WIDEST);
    rows.sort_by_key(|row| (Reverse(row.halves), row.matches, row.name));
    let mut table = String::new();
    if all > WIDEST {
        let _ = writeln!(
            table,
            "<p>The {WIDEST} players with the most matches, of {all}.</p>"
        );
    }
    let numbers: Vec<String> = (1..=rows.len()).map(|number| number.to_string()).collect();
    let mut heads = vec!["Player"];
    heads.extend(numbers.iter().map(String::as_str));
    heads.push("Points");
    table.push_str(&table_head(" class=\"cross\"", &heads));
    for (number, row) in (1..).zip(&rows) {
        let name = html(row.name);
        let _ = write!(
            table,
            "<tr><th scope=\"row\">{number}. <bdi>{name}</bdi></th>"
        );
        for other in &rows {
            let results = match row.results.get(other.name) {
                Some(found) => found.iter().map(|halves| points(*halves)).collect(),
                None if row.name == other.name => vec!["\u{2013}".to_owned()],
                None => Vec::new(),
            };
            let _ = write!(table, "<td>{}</td>", results.join(" "));
        }
        let _ = writeln!(
            table,
            "<td>{} of {}</td></tr>",
            points(row.halves),
            row.matches
        );
    }
    table.push_str(TABLE_END);
    table
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
    let base = html(url.unwrap_or_default());
    // The same feed has the same id in each run.
    let id = match (url, finished().next_back()) {
        (Some(url), _) => uuid(url),
        (None, Some(oldest)) => uuid(&format!("archive {}", oldest.id)),
        (None, None) => uuid("archive"),
    };
    let updated = finished().next().map_or(DateTime::UNIX_EPOCH, |e| e.last);
    let mut feed = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n\
         <title>Matches</title>\n<id>{id}</id>\n<updated>{}</updated>\n<link href=\"{base}index.html\"/>\n",
        time(updated)
    );
    if url.is_some() {
        let _ = writeln!(feed, "<link rel=\"self\" href=\"{base}feed.xml\"/>");
    }
    feed.push_str("<author><name>parapost</name></author>\n<generator>parapost</generator>\n");
    for entry in finished().take(NEWEST) {
        let players = names(&entry.variant, &entry.players).join(" \u{2013} ");
        let title = html(&format!("{}: {players}", entry.variant.game().name));
        let sentence = entry.ended.as_ref().map_or("", |ended| &ended.sentence);
        let _ = writeln!(
            feed,
            "<entry>\n<title>{title}</title>\n<id>{}</id>\n<updated>{}</updated>\n\
             <link href=\"{base}matches/{}.html\"/>\n<summary>{}</summary>\n</entry>",
            uuid(&format!("match {} {}", entry.id, time(entry.last))),
            time(entry.last),
            entry.id,
            html(sentence)
        );
    }
    feed.push_str("</feed>\n");
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
