//! A site of matches: the pages around those of the matches, cross-tables, and a feed.
//!
//! It has what players gave as their names, and no other word of them. No page grows without end: a list
//! of matches is parted into pages of `CARDS`, the oldest first, so that a new match changes the first page of
//! a list and hardly ever another.

pub mod card;

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use chrono::{DateTime, Datelike as _, Utc};
use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, UndefinedBehavior, Value, context};
use sha2::{Digest as _, Sha256};

use crate::clock;
use crate::match_id::Id;
use crate::printable::{counted, counted_matches, html};
use crate::render::page::{names, source};
use crate::render::site::card::{CardPicture, Shown};
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
    /// True if one of the players is a program: such matches have a list of their own, and stand in
    /// no other.
    pub is_with_program: bool,
    /// The number of half-moves.
    pub plies: usize,
    /// The last position.
    pub picture: CardPicture,
    /// Changes whenever something changes that the match's page shows.
    pub stamp: String,
}

/// The end of a match.
#[derive(Clone, Debug)]
pub struct Ended {
    /// None for a draw.
    pub winner: Option<Color>,
    /// A sentence with its full stop.
    pub sentence: String,
}

/// The look of a site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteLook {
    /// The name of the club, or of what the site has.
    pub name: String,
    /// The colours of the club as a style; empty for those of every page.
    pub colors: String,
}

/// A page of a site, or its feed.
#[derive(Debug)]
pub struct SitePage {
    /// The path below the folder of the site, its parts separated by `/`.
    pub path: String,
    /// Changes when the page is out of date: letters and digits. None if only its text tells.
    pub stamp: Option<String>,
    contents: Contents,
}

/// The contents of a page.
#[derive(Debug)]
enum Contents {
    Index,
    /// A part of the list of players, from 0.
    Players(usize),
    CrossTables,
    /// A part of the list of events, from 0.
    Events(usize),
    Feed,
    /// A part of the matches that have something in common: the newest of them if it is none.
    Group(Kind, String, Option<usize>),
}

const STYLE: &str = concat!(include_str!("look.css"), include_str!("site/site.css"));

/// The folders of the pages, each of them for pages of a site alone.
pub const FOLDERS: [&str; 7] = [
    "matches", "players", "games", "years", "results", "events", "program",
];

/// The matches of an older page. The newest page of a list has fewer than twice as many.
const CARDS: usize = 48;

/// The most matches in the feed.
const NEWEST: usize = 50;

/// The most matches on the first page.
const FIRST: usize = 24;

/// The most events on the first page.
const EVENTS: usize = 12;

/// The most rows of a page with players or events.
const ROWS: usize = 500;

/// The templates of all pages but those of matches.
const SOURCES: [(&str, &str); 10] = [
    ("page.html", include_str!("site/page.html")),
    ("index.html", include_str!("site/index.html")),
    ("players.html", include_str!("site/players.html")),
    ("events.html", include_str!("site/events.html")),
    ("list.html", include_str!("site/list.html")),
    ("card.html", include_str!("site/card.html")),
    ("filters.html", include_str!("site/filters.html")),
    ("parts.html", include_str!("site/parts.html")),
    ("crosstable.html", include_str!("site/crosstable.html")),
    ("feed.xml", include_str!("site/feed.xml")),
];

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
    for (name, template) in SOURCES {
        let added = templates.add_template(name, template);
        added.unwrap_or_else(|error| unreachable!("{error}"));
    }
    templates
});

/// Fills in a template. Every value is escaped, unless the template says that it is HTML.
fn filled(template: &str, values: Value) -> String {
    let filled = TEMPLATES
        .get_template(template)
        .and_then(|template| template.render(values));
    filled.unwrap_or_else(|error| unreachable!("{error}"))
}

/// Returns a name or an event as a site shows it: none that is an address or has one.
pub fn public(text: &str) -> String {
    if text.contains('@') {
        return String::new();
    }
    text.trim().to_owned()
}

/// The kinds of what the matches of a page have in common, in the order of their pages.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    Player,
    Game,
    Year,
    Result,
    Event,
    Program,
}

impl Kind {
    /// Returns the words above the links to pages of this kind; none where there are too many of them.
    fn heading(self) -> Option<&'static str> {
        match self {
            Kind::Player | Kind::Event => None,
            Kind::Game => Some("Games"),
            Kind::Year => Some("Years"),
            Kind::Result => Some("Results"),
            Kind::Program => Some("Program"),
        }
    }
}

/// The matches of a page.
struct Group<'e> {
    title: String,
    /// The newest first.
    entries: Vec<&'e SiteEntry>,
}

impl Group<'_> {
    fn of(title: &str) -> Self {
        Group {
            title: title.to_owned(),
            entries: Vec::new(),
        }
    }

    /// Returns the number of older pages, beside the one with the newest matches.
    fn older(&self) -> usize {
        (self.entries.len() / CARDS).saturating_sub(1)
    }
}

/// The pages by what their matches have in common and by their paths.
type Groups<'e> = BTreeMap<Kind, BTreeMap<String, Group<'e>>>;

/// A site.
pub struct Site<'e> {
    look: &'e SiteLook,
    /// The address of the folder on the web, with a slash at its end.
    url: Option<&'e str>,
    /// Those between people, the newest first.
    newest: Vec<&'e SiteEntry>,
    groups: Groups<'e>,
}

impl<'e> Site<'e> {
    /// Collects the pages of the matches. Takes time linear in their number.
    pub fn new(entries: &'e [SiteEntry], look: &'e SiteLook, url: Option<&'e str>) -> Site<'e> {
        let mut newest: Vec<&SiteEntry> = entries.iter().collect();
        newest.sort_by_key(|&entry| (Reverse(entry.last), &entry.id));
        let groups = groups(&newest);
        newest.retain(|entry| !entry.is_with_program);
        Site {
            look,
            url,
            newest,
            groups,
        }
    }

    /// Returns all pages but those of the matches, none of which is written yet.
    pub fn pages(&self) -> Vec<SitePage> {
        let page = |path: String, contents| SitePage {
            path,
            stamp: None,
            contents,
        };
        let mut pages = vec![
            page("index.html".to_owned(), Contents::Index),
            page("crosstable.html".to_owned(), Contents::CrossTables),
            page("feed.xml".to_owned(), Contents::Feed),
        ];
        for part in 0..parts(self.of_kind(Kind::Player).count()) {
            pages.push(page(part_path("players", part), Contents::Players(part)));
        }
        for part in 0..parts(self.of_kind(Kind::Event).count()) {
            pages.push(page(part_path("events", part), Contents::Events(part)));
        }
        let look = self.stamp_of_look();
        for (kind, groups) in &self.groups {
            for (path, group) in groups {
                for older in (1..=group.older()).map(Some).chain([None]) {
                    let contents = Contents::Group(*kind, path.clone(), older);
                    pages.push(SitePage {
                        path: older_path(path, older),
                        stamp: Some(stamp_of(&look, path, group, older)),
                        contents,
                    });
                }
            }
        }
        pages
    }

    /// Writes one of these pages.
    pub fn write(&self, page: &SitePage) -> String {
        let stamp = page.stamp.as_deref().unwrap_or("list");
        match &page.contents {
            Contents::Index => self.page("Matches", "", stamp, &self.index()),
            Contents::CrossTables => {
                let tables = match tables(&self.newest, true) {
                    none if none.is_empty() => NO_TABLE.to_owned(),
                    tables => tables,
                };
                self.page("Cross-tables", "", stamp, &tables)
            }
            Contents::Players(part) => self.page("Players", "", stamp, &self.players(*part)),
            Contents::Events(part) => self.page("Events", "", stamp, &self.events(*part)),
            Contents::Feed => self.feed(),
            Contents::Group(kind, path, older) => {
                let group = &self.groups[kind][path];
                let body = self.list(*kind, path, group, *older);
                self.page(&group.title, "../", stamp, &body)
            }
        }
    }

    fn of_kind(&self, kind: Kind) -> impl Iterator<Item = (&String, &Group<'e>)> {
        self.groups.get(&kind).into_iter().flatten()
    }

    /// Returns what distinguishes the lists of this look, and of this version, from those of another.
    fn stamp_of_look(&self) -> String {
        let mut parts = vec![env!("CARGO_PKG_VERSION"), STYLE];
        parts.extend(SOURCES.iter().map(|(_, template)| *template));
        parts.extend([self.look.name.as_str(), &self.look.colors]);
        for kind in [Kind::Game, Kind::Year, Kind::Result] {
            parts.extend(self.of_kind(kind).map(|(path, _)| path.as_str()));
        }
        hex(&parts.join("\n"))
    }

    /// Writes a page with a heading; `up` leads to the folder of the site.
    fn page(&self, title: &str, up: &str, stamp: &str, body: &str) -> String {
        let (look, style) = (self.look, [STYLE, &self.look.colors].concat());
        let style_source = source(&style);
        let has_events = self.groups.contains_key(&Kind::Event);
        let (name, is_first) = (&look.name, up.is_empty() && title == "Matches");
        filled(
            "page.html",
            context! { name, title, up, stamp, body, style, style_source, has_events, is_first },
        )
    }

    /// Returns the links by which a reader chooses, `up` leading to the folder of the site. Only the first page
    /// tells how many matches each has: another would change with every match.
    fn filters(&self, up: &str, here: &str) -> Value {
        let groups = self.groups.iter().filter_map(|(kind, pages)| {
            let heading = kind.heading()?;
            let mut pages: Vec<_> = pages.iter().collect();
            if *kind == Kind::Year {
                pages.reverse();
            }
            let links = pages.into_iter().map(|(path, group)| {
                let (title, is_here) = (&group.title, path == here);
                let count = up.is_empty().then_some(group.entries.len());
                context! { path => format!("{up}{path}"), title, count, is_here }
            });
            Some(context! { heading, links => links.collect::<Value>() })
        });
        groups.collect()
    }

    /// Writes the first page.
    fn index(&self) -> String {
        let newest = &self.newest[..self.newest.len().min(FIRST)];
        let mut events: Vec<_> = self.of_kind(Kind::Event).collect();
        events.sort_by_key(|(_, group)| Reverse(group.entries.first().map(|entry| entry.last)));
        let has_more = events.len() > EVENTS;
        let events = events.into_iter().take(EVENTS).map(|(path, group)| {
            let (title, count) = (&group.title, group.entries.len());
            context! { path, title, count }
        });
        let (matches, players) = (self.newest.len(), self.of_kind(Kind::Player).count());
        let all = format!(
            "{}, {}",
            counted_matches(matches),
            counted(players, "player")
        );
        filled(
            "index.html",
            context! {
                all,
                has_more,
                filters => self.filters("", ""),
                events => events.collect::<Value>(),
                cards => cards(newest, ""),
            },
        )
    }

    /// Writes a part of the list of players, by their names.
    fn players(&self, part: usize) -> String {
        let all = self.of_kind(Kind::Player);
        let players = all.skip(part * ROWS).take(ROWS).map(|(path, group)| {
            let [won, drawn, lost] = score(group);
            let (name, matches) = (&group.title, group.entries.len());
            context! { path, name, matches, won, drawn, lost }
        });
        let players = players.collect::<Value>();
        let parts = part_links("players", part, self.of_kind(Kind::Player).count());
        filled("players.html", context! { players, parts })
    }

    /// Writes a part of the list of events.
    fn events(&self, part: usize) -> String {
        let all = self.of_kind(Kind::Event);
        let events = all.skip(part * ROWS).take(ROWS).map(|(path, group)| {
            let (title, matches) = (&group.title, group.entries.len());
            let last = group.entries.first().map(|entry| day(entry.last));
            context! { path, title, matches, last }
        });
        let events = events.collect::<Value>();
        let parts = part_links("events", part, self.of_kind(Kind::Event).count());
        filled("events.html", context! { events, parts })
    }

    /// Writes a page of matches that have something in common.
    fn list(&self, kind: Kind, path: &str, group: &Group<'_>, older: Option<usize>) -> String {
        let (entries, count) = (part_of(group, older), group.older());
        let file = |older| {
            let path = older_path(path, older);
            path.rsplit('/').next().unwrap_or_default().to_owned()
        };
        let newer = older.map(|older| Some(older + 1).filter(|newer| *newer <= count));
        let before = older.unwrap_or(count + 1) - 1;
        let newer = newer.map(|newer| ("Newer", file(newer)));
        let before = (before > 0).then(|| ("Older", file(Some(before))));
        let parts: Vec<_> = newer.into_iter().chain(before).collect();
        let is_newest = older.is_none();
        let summary = (is_newest && kind == Kind::Player).then(|| {
            let [won, drawn, lost] = score(group);
            let matches = counted_matches(group.entries.len());
            format!("{matches}: {won} won, {drawn} drawn, {lost} lost.")
        });
        let tables = match kind {
            Kind::Event if is_newest => tables(&group.entries, true),
            Kind::Game if is_newest => tables(&group.entries, false),
            _ => String::new(),
        };
        let filters = is_newest.then(|| self.filters("../", path));
        let cards = cards(entries, "../");
        filled(
            "list.html",
            context! { summary, tables, filters, cards, parts, is_newest, newest => file(None) },
        )
    }

    /// Writes the feed of the matches that ended last (Atom, RFC 4287), the newest first.
    fn feed(&self) -> String {
        let finished = || self.newest.iter().filter(|entry| entry.ended.is_some());
        let base = self.url.unwrap_or_default();
        // The same feed has the same id in each run.
        let id = match (self.url, finished().next_back()) {
            (Some(url), _) => uuid(url),
            (None, Some(oldest)) => uuid(&format!("archive {}", oldest.id)),
            (None, None) => uuid("archive"),
        };
        let updated = finished().next().map_or(DateTime::UNIX_EPOCH, |e| e.last);
        let entries = finished().take(NEWEST).map(|entry| {
            let time = clock::write(entry.last);
            context! {
                uuid => uuid(&format!("match {} {time}", entry.id)),
                names => names(&entry.variant, &entry.players),
                sentence => entry.ended.as_ref().map_or("", |ended| &ended.sentence),
                game => entry.variant.game().name,
                id => entry.id.as_str(),
                time,
            }
        });
        let (updated, entries) = (clock::write(updated), entries.collect::<Value>());
        let name = &self.look.name;
        filled("feed.xml", context! { name, id, updated, base, entries })
    }
}

/// The path of the list of the matches against the program.
const PROGRAM: &str = "program/matches.html";

fn groups<'e>(newest: &[&'e SiteEntry]) -> Groups<'e> {
    let mut groups = Groups::default();
    for entry in newest {
        let game = entry.variant.game();
        let [result, won_by, _] = result(entry);
        let year = entry.last.year().to_string();
        if entry.is_with_program {
            groups
                .entry(Kind::Program)
                .or_default()
                .entry(PROGRAM.to_owned())
                .or_insert_with(|| Group::of("Against the program"))
                .entries
                .push(entry);
            continue;
        }
        let mut places = vec![
            (Kind::Game, format!("games/{}.html", game.id), game.name),
            (Kind::Year, format!("years/{year}.html"), year.as_str()),
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
                .or_insert_with(|| Group::of(title));
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
    format!("{slug}{dash}{}", hex(text))
}

/// Returns the first 128 bits of the hash of a text.
fn hash(text: &str) -> [u8; 16] {
    first(&Sha256::digest(text.as_bytes()))
}

fn first(hash: &[u8]) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash[..16]);
    bytes
}

fn hex(text: &str) -> String {
    format!("{:032x}", u128::from_be_bytes(hash(text)))
}

/// Returns the number of parts of a list of players or events; an empty one has a page, too.
fn parts(rows: usize) -> usize {
    rows.div_ceil(ROWS).max(1)
}

/// Returns the path of a part of such a list.
fn part_path(name: &str, part: usize) -> String {
    match part {
        0 => format!("{name}.html"),
        part => format!("{name}-{}.html", part + 1),
    }
}

/// Returns the links from a part of such a list to those beside it.
fn part_links(name: &str, part: usize, rows: usize) -> Vec<(&'static str, String)> {
    let before = part.checked_sub(1).map(|part| ("Before", part));
    let after = Some(part + 1).filter(|part| *part < parts(rows));
    let links = before.into_iter().chain(after.map(|part| ("More", part)));
    links
        .map(|(word, part)| (word, part_path(name, part)))
        .collect()
}

/// Returns the path of an older page of a list, or of the newest.
fn older_path(path: &str, older: Option<usize>) -> String {
    match older {
        None => path.to_owned(),
        Some(older) => format!("{}-{older}.html", path.trim_end_matches(".html")),
    }
}

/// Returns the matches of an older page, or of the newest. The oldest page is the first, so that a
/// match that comes to a list moves none from page to page.
fn part_of<'g, 'e>(group: &'g Group<'e>, older: Option<usize>) -> &'g [&'e SiteEntry] {
    let entries = &group.entries;
    match older {
        None => &entries[..entries.len() - group.older() * CARDS],
        Some(older) => {
            let end = entries.len() - (older - 1) * CARDS;
            &entries[end - CARDS..end]
        }
    }
}

/// Distinguishes a page of a list from what it was.
fn stamp_of(look: &str, path: &str, group: &Group<'_>, older: Option<usize>) -> String {
    // The newest page sums up all matches; an older one has links to those beside it.
    let entries = match older {
        None => &group.entries,
        Some(_) => part_of(group, older),
    };
    let is_last = older == Some(group.older());
    let mut hash = Sha256::new();
    for part in [look, path, &group.title, &is_last.to_string()] {
        hash.update(part.as_bytes());
        hash.update(b"\n");
    }
    for entry in entries {
        hash.update(entry.id.as_str().as_bytes());
        hash.update(entry.stamp.as_bytes());
        hash.update(entry.last.timestamp().to_be_bytes());
    }
    format!("{:x}", u128::from_be_bytes(first(&hash.finalize())))
}

/// Writes cards, and before them the pieces that they show; `up` leads to the folder of the site.
fn cards(entries: &[&SiteEntry], up: &str) -> String {
    let mut shown = Shown::default();
    let mut cards = String::new();
    for entry in entries {
        entry.picture.show(&mut shown);
        let scores = Color::ALL.map(|color| match entry.ended.as_ref() {
            None => "",
            Some(ended) => ["0", "\u{bd}", "1"][halves(ended, color)],
        });
        let sentence = match (&entry.ended, entry.picture.last()) {
            (Some(ended), _) => ended.sentence.clone(),
            (None, Some(last)) => format!("Last move: {last}"),
            (None, None) => String::new(),
        };
        let moves = counted(entry.plies.div_ceil(2), "move");
        cards.push_str(&filled(
            "card.html",
            context! {
                up,
                id => entry.id.as_str(),
                board => entry.picture.svg(),
                names => names(&entry.variant, &entry.players),
                scores,
                game => entry.variant.game().name,
                moves,
                sentence,
                day => day(entry.last),
                date => entry.last.format("%Y-%m-%d").to_string(),
            },
        ));
    }
    if entries.is_empty() {
        return "<p>There is no match yet.</p>\n".to_owned();
    }
    let definitions = card::definitions(&shown);
    format!("{definitions}<ul class=\"cards\">\n{cards}</ul>\n")
}

/// Returns how many of the matches a player has won, drawn and lost.
fn score(group: &Group<'_>) -> [usize; 3] {
    let mut score = [0; 3];
    for entry in &group.entries {
        for color in Color::ALL {
            if let Some(ended) = &entry.ended
                && entry.players[color.index()] == group.title
            {
                score[2 - halves(ended, color)] += 1;
            }
        }
    }
    score
}

/// Returns twice the points of a side.
fn halves(ended: &Ended, color: Color) -> usize {
    match ended.winner {
        None => 1,
        Some(winner) if winner == color => 2,
        Some(_) => 0,
    }
}

/// Writes a day as people do: `5 November 2026`.
fn day(time: DateTime<Utc>) -> String {
    time.format("%-d %B %Y").to_string()
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

/// The most players of a table, those with the most matches: nobody can read a wider one,
/// and it grows with their square.
const WIDEST: usize = 40;

/// Stands on the page of the tables as long as there is none.
const NO_TABLE: &str = "<p>No match between two players with names is over yet: each game will have its table here.</p>";

/// The most results in a cell. More are summed up.
const MOST_RESULTS: usize = 3;

/// A player and the sum of the results.
struct Row<'e> {
    name: &'e str,
    /// Twice the points: a draw is half a one.
    halves: usize,
    matches: usize,
    /// The same against each other player, the oldest first.
    results: HashMap<&'e str, Vec<usize>>,
}

/// Writes a table for each game of these matches, the newest of which comes first; nothing if none
/// of them is over between two players with names. A game that is a title has a heading.
fn tables(newest: &[&SiteEntry], has_headings: bool) -> String {
    let mut games: Vec<&'static str> = newest.iter().map(|e| e.variant.game().name).collect();
    games.sort_unstable();
    games.dedup();
    let tables = games.iter().map(|name| {
        let of_game = newest.iter().filter(|e| e.variant.game().name == *name);
        let of_game: Vec<&SiteEntry> = of_game.copied().collect();
        let heading = if has_headings { name } else { "" };
        crosstable(&of_game, heading)
    });
    tables.collect()
}

/// Writes the table of the players of finished matches and their results; nothing if
/// there are none with names.
fn crosstable(newest: &[&SiteEntry], heading: &str) -> String {
    let mut results: HashMap<&str, HashMap<&str, Vec<usize>>> = HashMap::new();
    // The oldest match first.
    for entry in newest.iter().rev() {
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
            Some(found) => cell(found),
            None => String::new(),
        });
        let (name, points, matches) = (row.name, points(row.halves), row.matches);
        context! { name, cells => cells.collect::<Value>(), points, matches }
    });
    let rows = shown.collect::<Value>();
    filled("crosstable.html", context! { heading, players, rows })
}

/// Writes the results of two players, the oldest first; many of them as a sum.
fn cell(found: &[usize]) -> String {
    if found.len() > MOST_RESULTS {
        return format!("{} of {}", points(found.iter().sum()), found.len());
    }
    let found: Vec<String> = found.iter().map(|halves| points(*halves)).collect();
    found.join(" ")
}

/// Writes points, given twice: `2½`.
fn points(halves: usize) -> String {
    match (halves / 2, halves % 2) {
        (0, 1) => "\u{bd}".to_owned(),
        (whole, 1) => format!("{whole}\u{bd}"),
        (whole, _) => whole.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Position, Record, Variant};

    fn won(number: usize, white: &str, black: &str) -> SiteEntry {
        let variant = Variant::find("unachess", &[]).unwrap();
        SiteEntry {
            is_with_program: false,
            id: format!("m{number}").parse().unwrap(),
            picture: CardPicture::of(&Record::new(Position::start(&variant))),
            variant,
            players: [white, black].map(ToOwned::to_owned),
            event: String::new(),
            ended: Some(Ended {
                winner: Some(Color::White),
                sentence: String::new(),
            }),
            last: DateTime::UNIX_EPOCH + chrono::TimeDelta::hours(i64::try_from(number).unwrap()),
            plies: 1,
            stamp: number.to_string(),
        }
    }

    fn look() -> SiteLook {
        SiteLook {
            name: "Matches".to_owned(),
            colors: String::new(),
        }
    }

    fn stamps(entries: &[SiteEntry]) -> BTreeMap<String, String> {
        let look = look();
        let pages = Site::new(entries, &look, None).pages().into_iter();
        let stamped = pages.filter_map(|page| Some((page.path, page.stamp?)));
        stamped.collect()
    }

    /// However many matches there are, one more changes few pages, and no page grows without end.
    #[test]
    fn a_match_more_changes_few_pages_and_none_is_long() {
        let many = |count: usize| -> Vec<SiteEntry> {
            let player = |number| format!("Player {}", number % 7);
            let matches =
                (0..count).map(|number| won(number, &player(number), &player(number + 1)));
            matches.collect()
        };
        let entries = many(2000);
        let before = stamps(&entries);
        let after = stamps(&many(2001));
        assert!(before.len() > 150, "{}", before.len());
        let changed = after
            .iter()
            .filter(|(path, stamp)| before.get(*path) != Some(*stamp));
        // Of the game, the year, the result and two players, and an older page of each at most.
        let changed = changed.count();
        assert!((5..=15).contains(&changed), "{changed}");
        let look = look();
        let site = Site::new(&entries, &look, None);
        let mut seen = 0;
        for page in site.pages() {
            let text = site.write(&page);
            assert!(text.len() < 300_000, "{}: {}", page.path, text.len());
            if page.path.starts_with("games/") {
                seen += text.matches("<li class=\"card\">").count();
            }
        }
        assert_eq!(seen, entries.len());
    }

    #[test]
    fn a_list_is_parted_from_its_oldest_match_on() {
        for (count, older, newest) in [
            (0, 0, 0),
            (47, 0, 47),
            (48, 0, 48),
            (95, 0, 95),
            (96, 1, 48),
            (97, 1, 49),
        ] {
            let entries: Vec<SiteEntry> = (0..count).map(|n| won(n, "Anna", "Ben")).collect();
            let group = Group {
                title: String::new(),
                entries: entries.iter().rev().collect(),
            };
            assert_eq!(group.older(), older, "{count}");
            assert_eq!(part_of(&group, None).len(), newest, "{count}");
            for part in 1..=older {
                let ids: Vec<&str> = part_of(&group, Some(part))
                    .iter()
                    .map(|e| e.id.as_str())
                    .collect();
                assert_eq!(
                    ids.first().copied(),
                    Some(format!("m{}", part * CARDS - 1).as_str())
                );
                assert_eq!(ids.len(), CARDS);
            }
        }
    }

    #[test]
    fn days_are_written_for_people() {
        let time = "2026-11-05T23:00:00Z".parse().unwrap();
        assert_eq!(day(time), "5 November 2026");
    }

    #[test]
    fn a_table_has_the_players_with_the_most_matches() {
        let mut entries: Vec<SiteEntry> = (0..41)
            .map(|number| won(number, "Anna", &format!("Ben {number:02}")))
            .collect();
        // Without this match Ben 40 would be one too many.
        entries.push(won(41, "Anna", "Ben 40"));
        let entries: Vec<&SiteEntry> = entries.iter().collect();
        let table = tables(&entries, true);
        assert!(table.contains("<h2>Unachess</h2>"), "{table}");
        assert!(table.contains("The 40 players with the most matches, of 42."));
        let rows = table.matches("<th scope=\"row\">").count();
        assert_eq!(rows, WIDEST);
        let has = |name: &str| table.contains(&format!("<bdi>{name}</bdi>"));
        let names = ["Anna", "Ben 37", "Ben 38", "Ben 39", "Ben 40"];
        assert_eq!(names.map(has), [true, true, false, false, true]);
        assert!(table.contains("<td class=\"points\">42</td><td>42</td>"));
    }

    /// Two players may meet without end, and a page may not.
    #[test]
    fn many_results_of_two_players_are_summed_up() {
        assert_eq!(cell(&[2, 1, 0]), "1 \u{bd} 0");
        assert_eq!(cell(&[2, 1, 0, 2]), "2\u{bd} of 4");
    }
}
