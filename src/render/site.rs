//! A site of matches: the pages around those of the matches, and a feed.
//!
//! It has what players gave as their names, and no other word of them.

mod crosstable;
pub mod entry;
mod feed;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use sha2::{Digest as _, Sha256};

use crate::render::page::{ARCHIVED, MARK, START, escaped};
use crate::render::site::entry::{Ended, Entry, File};
use crate::render::site::feed::NEWEST;
use crate::rules::Color;

const STYLE: &str = concat!(include_str!("look.css"), include_str!("site/site.css"));

/// The folders of the pages, each of them for pages of a site alone.
pub const FOLDERS: [&str; 5] = ["matches", "players", "games", "results", "events"];

/// Returns a name or an event as a site shows it: none that is an address or has one.
#[must_use]
pub fn public(text: &str) -> String {
    if text.contains('@') {
        return String::new();
    }
    text.trim().to_owned()
}

/// Writes all pages but those of the matches. `url` is the address of the folder on the
/// web, with a slash at its end. Takes time linear in the matches.
#[must_use]
pub fn files(entries: &[Entry], url: Option<&str>) -> Vec<File> {
    let mut newest: Vec<&Entry> = entries.iter().collect();
    newest.sort_by(|one, other| {
        let by_time = other.last.cmp(&one.last);
        by_time.then_with(|| one.id.cmp(&other.id))
    });
    let mut groups = Groups::default();
    for entry in &newest {
        groups.add(entry);
    }
    let mut files = vec![
        index(&newest, &groups),
        players(&groups),
        File {
            path: "crosstable.html".to_owned(),
            text: page("Cross-table", "", &crosstable::write(&newest)),
        },
        feed::write(&newest, url),
    ];
    for (kind, groups) in groups.all() {
        for (path, group) in groups {
            let list = list(&group.entries, "../");
            let table = match kind {
                Kind::Event => crosstable::write(&group.entries),
                _ => String::new(),
            };
            files.push(File {
                path: path.clone(),
                text: page(&group.title, "../", &(table + &list)),
            });
        }
    }
    files
}

/// What the matches of a page have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Player,
    Game,
    Result,
    Event,
}

/// The matches of a page.
struct Group<'e> {
    title: String,
    entries: Vec<&'e Entry>,
}

/// The pages by their paths.
type Pages<'e> = BTreeMap<String, Group<'e>>;

#[derive(Default)]
struct Groups<'e> {
    players: Pages<'e>,
    games: Pages<'e>,
    results: Pages<'e>,
    events: Pages<'e>,
}

impl<'e> Groups<'e> {
    fn add(&mut self, entry: &'e Entry) {
        fn put<'e>(pages: &mut Pages<'e>, path: String, title: &str, entry: &'e Entry) {
            let group = pages.entry(path).or_insert_with(|| Group {
                title: title.to_owned(),
                entries: Vec::new(),
            });
            group.entries.push(entry);
        }
        let [white, black] = &entry.players;
        put_player(&mut self.players, white, entry, put);
        if black != white {
            put_player(&mut self.players, black, entry, put);
        }
        let game = entry.variant.game();
        let path = format!("games/{}.html", game.id);
        put(&mut self.games, path, game.name, entry);
        let (path, title) = result(entry);
        put(&mut self.results, path.to_owned(), title, entry);
        if !entry.event.is_empty() {
            let path = format!("events/{}.html", slug(&entry.event));
            put(&mut self.events, path, &entry.event, entry);
        }
    }

    fn all(&self) -> [(Kind, &Pages<'e>); 4] {
        [
            (Kind::Player, &self.players),
            (Kind::Game, &self.games),
            (Kind::Result, &self.results),
            (Kind::Event, &self.events),
        ]
    }
}

fn put_player<'e>(
    pages: &mut Pages<'e>,
    name: &str,
    entry: &'e Entry,
    put: impl Fn(&mut Pages<'e>, String, &str, &'e Entry),
) {
    if !name.is_empty() {
        put(pages, player_path(name), name, entry);
    }
}

fn player_path(name: &str) -> String {
    format!("players/{}.html", slug(name))
}

fn result(entry: &Entry) -> (&'static str, &'static str) {
    match &entry.ended {
        None => ("results/running.html", "Still running"),
        Some(Ended { winner, .. }) => match winner {
            Some(Color::White) => ("results/first.html", "Won by the first player"),
            Some(Color::Black) => ("results/second.html", "Won by the second player"),
            None => ("results/drawn.html", "Drawn"),
        },
    }
}

/// Returns a name for a file: the letters of a text that every system has, and a hash,
/// which tells texts with the same letters apart, and is all where there is no such letter.
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
    let hash = Sha256::digest(text.as_bytes());
    let mut name = format!("{slug}{dash}");
    for byte in &hash[..16] {
        let _ = write!(name, "{byte:02x}");
    }
    name
}

/// Writes the first page.
fn index(newest: &[&Entry], groups: &Groups<'_>) -> File {
    let mut body = String::from("<nav>\n<ul>\n");
    for (path, title) in [
        ("players.html", "Players"),
        ("crosstable.html", "Cross-table"),
        ("feed.xml", "Feed"),
    ] {
        let _ = writeln!(body, "<li><a href=\"{path}\">{title}</a></li>");
    }
    body.push_str("</ul>\n");
    for (kind, pages) in groups.all() {
        let heading = match kind {
            Kind::Player => continue,
            Kind::Game => "Games",
            Kind::Result => "Results",
            Kind::Event => "Events",
        };
        if pages.is_empty() {
            continue;
        }
        let _ = writeln!(body, "<h2>{heading}</h2>\n<ul>");
        for (path, group) in pages {
            let (title, count) = (escaped(&group.title), group.entries.len());
            let _ = writeln!(
                body,
                "<li><a href=\"{path}\"><bdi>{title}</bdi></a> ({count})</li>"
            );
        }
        body.push_str("</ul>\n");
    }
    body.push_str("</nav>\n<h2>The newest</h2>\n");
    body.push_str(&list(&newest[..newest.len().min(NEWEST)], ""));
    File {
        path: "index.html".to_owned(),
        text: page("Matches", "", &body),
    }
}

/// Writes the page with all players.
fn players(groups: &Groups<'_>) -> File {
    let mut body = String::from(
        "<div class=\"wide\" role=\"region\" aria-label=\"Table\" tabindex=\"0\"><table>\n<thead><tr><th scope=\"col\">Player</th><th scope=\"col\">Matches</th>\
         <th scope=\"col\">Won</th><th scope=\"col\">Drawn</th><th scope=\"col\">Lost</th></tr></thead>\n<tbody>\n",
    );
    for (path, group) in &groups.players {
        let (mut won, mut drawn, mut lost) = (0, 0, 0);
        for entry in &group.entries {
            for color in Color::ALL {
                if entry.players[color.index()] != group.title {
                    continue;
                }
                match &entry.ended {
                    None => {}
                    Some(Ended { winner: None, .. }) => drawn += 1,
                    Some(ended) if ended.winner == Some(color) => won += 1,
                    Some(_) => lost += 1,
                }
            }
        }
        let (title, count) = (escaped(&group.title), group.entries.len());
        let _ = writeln!(
            body,
            "<tr><th scope=\"row\"><a href=\"{path}\"><bdi>{title}</bdi></a></th>\
             <td>{count}</td><td>{won}</td><td>{drawn}</td><td>{lost}</td></tr>"
        );
    }
    body.push_str("</tbody>\n</table></div>\n");
    File {
        path: "players.html".to_owned(),
        text: page("Players", "", &body),
    }
}

/// Writes a list of matches; `up` leads to the folder of the site.
fn list(entries: &[&Entry], up: &str) -> String {
    if entries.is_empty() {
        return "<p>There is no match yet.</p>\n".to_owned();
    }
    let mut list = String::from(
        "<div class=\"wide\" role=\"region\" aria-label=\"Table\" tabindex=\"0\"><table>\n<thead><tr><th scope=\"col\">Match</th><th scope=\"col\">Game</th>\
         <th scope=\"col\">Result</th><th scope=\"col\">Moves</th><th scope=\"col\">Day</th></tr></thead>\n<tbody>\n",
    );
    for entry in entries {
        let result = match &entry.ended {
            None => "*",
            Some(ended) => match ended.winner {
                Some(Color::White) => "1\u{2013}0",
                Some(Color::Black) => "0\u{2013}1",
                None => "\u{bd}\u{2013}\u{bd}",
            },
        };
        let _ = writeln!(
            list,
            "<tr><th scope=\"row\"><a href=\"{up}matches/{}.html\">{}</a></th>\
             <td>{}</td><td>{result}</td><td>{}</td><td>{}</td></tr>",
            entry.id,
            between(entry),
            escaped(entry.variant.game().name),
            entry.plies.div_ceil(2),
            entry.last.format("%Y-%m-%d")
        );
    }
    list.push_str("</tbody>\n</table></div>\n");
    list
}

/// Writes the names of both players.
fn between(entry: &Entry) -> String {
    let [white, black] = Color::ALL.map(|color| {
        let name = entry.players[color.index()].as_str();
        let name = if name.is_empty() {
            entry.variant.player(color)
        } else {
            name
        };
        format!("<bdi>{}</bdi>", escaped(name))
    });
    format!("{white} \u{2013} {black}")
}

/// Writes a page with a heading; `up` leads to the folder of the site.
fn page(title: &str, up: &str, body: &str) -> String {
    let title = escaped(title);
    let style = BASE64.encode(Sha256::digest(STYLE.as_bytes()));
    let home = match (up, title.as_str()) {
        ("", "Matches") => String::new(),
        _ => format!("<p><a href=\"{up}index.html\">All matches</a></p>\n"),
    };
    format!(
        "{START}\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{ARCHIVED}list\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{style}'; \
         base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n{MARK}\n\
         <link rel=\"alternate\" type=\"application/atom+xml\" href=\"{up}feed.xml\" title=\"Matches\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<header>\n\
         <h1><bdi>{title}</bdi></h1>\n{home}</header>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )
}
