//! `parapost archive`: finished matches as a site of pages.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::SystemTime;

use crate::commands::play::{house, of};
use crate::support::Sandbox;

/// A match between two players with addresses, in an event, perhaps over.
fn begin(house: &Sandbox, id: &str, [white, black]: [&str; 2], is_over: bool) {
    let player = |name: &str, at: usize| format!("{name} <p{at}.{id}@secret.test>");
    let (white, black) = (player(white, 1), player(black, 2));
    let words = ["new", "--id", id, "--game", "unachess"];
    let players = ["--white", &white, "--black", &black, "--event", "Cup <1>"];
    house
        .parapost(of(
            "ref",
            &[&words[..], &players, &["--moves", "P>e3 n>g5"]].concat(),
        ))
        .any_stdout()
        .any_stderr()
        .run();
    for (number, body) in [(1, "note private words\n"), (2, "resign match\n")] {
        if number == 2 && !is_over {
            return;
        }
        let letter = format!(
            "From: p2.{id}@secret.test\nTo: ref@example.org\nSubject: Re: [{id}]\n\
             Message-ID: <{number}.{id}@machine.test>\n\n{body}"
        );
        house
            .parapost(of("ref", &["receive"]))
            .stdin(letter)
            .any_stdout()
            .any_stderr()
            .run();
    }
}

fn club() -> Sandbox {
    let house = house();
    begin(&house, "one", ["Anna", "Ben"], true);
    begin(&house, "two", ["Ben", "Anna"], true);
    begin(&house, "three", ["羽生善治", "mallory@secret.test"], true);
    begin(&house, "open", ["Anna", "Zed"], false);
    house
}

/// The files of the site, by their paths.
fn site(house: &Sandbox) -> BTreeMap<String, String> {
    let files = house.contents().into_iter();
    let files = files.filter_map(|(path, bytes)| {
        let path = path.strip_prefix("site").ok()?.to_str()?.to_owned();
        Some((path, String::from_utf8(bytes).unwrap()))
    });
    files.collect()
}

fn archive(house: &Sandbox, more: &[&str], said: &str) -> BTreeMap<String, String> {
    house
        .parapost(of("ref", &[&["archive", "site"], more].concat()))
        .stderr(format!("{said}\n"))
        .run();
    site(house)
}

#[test]
fn finished_matches_are_a_site() {
    let house = club();
    let site = archive(&house, &[], "3 matches in site, 3 written");
    let pages: Vec<&str> = site.keys().map(String::as_str).collect();
    for page in [
        "index.html",
        "players.html",
        "crosstable.html",
        "feed.xml",
        "matches/one.html",
        "matches/three.html",
        "matches/two.html",
        "games/unachess.html",
        "results/first.html",
        "years/2026.html",
        "events.html",
        // The name has no letter for a file.
        "players/3d3c621dd53b8722c68ba092a0f9cbbd.html",
    ] {
        assert!(pages.contains(&page), "{page}: {pages:?}");
    }
    assert!(!pages.contains(&"matches/open.html"));
    let index = &site["index.html"];
    assert!(index.contains(
        "<bdi>羽生善治</bdi> <b>1</b></span> <span class=\"side\"><bdi>Black</bdi> <b>0</b>"
    ));
    assert!(index.contains("<bdi>Cup &lt;1></bdi> <span>3</span>"));
    assert!(index.contains("<a href=\"years/2026.html\">2026 <span>3</span></a>"));
    assert!(index.contains("<time datetime=\"2026-11-20\">20 November 2026</time>"));
    assert!(site["crosstable.html"].contains(
        "<bdi>Anna</bdi></th><td class=\"points\">1</td><td>2</td><td class=\"self\"></td><td>0 1</td>"
    ));
    assert!(site["matches/one.html"].contains("<a href=\"../index.html\"><bdi>Matches</bdi></a>"));
    assert!(site["matches/one.html"].contains("Black resigns, White wins."));
    // Every link leads to a page.
    for (path, text) in &site {
        for link in text.split("href=\"").skip(1) {
            let link = link.split('"').next().unwrap();
            if link.starts_with('#') {
                continue;
            }
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            let target = match link.strip_prefix("../") {
                Some(target) => target.to_owned(),
                None if folder.is_empty() => link.to_owned(),
                None => format!("{folder}/{link}"),
            };
            assert!(site.contains_key(&target), "{path}: {link}");
        }
    }
    let feed = resvg::usvg::roxmltree::Document::parse(&site["feed.xml"]).unwrap();
    let is_entry = |node: &resvg::usvg::roxmltree::Node<'_, '_>| {
        node.has_tag_name(("http://www.w3.org/2005/Atom", "entry"))
    };
    assert_eq!(feed.descendants().filter(is_entry).count(), 3);
    // The running match too, if asked for; and away again.
    let more = archive(&house, &["--running"], "4 matches in site, 1 written");
    assert!(more.contains_key("matches/open.html") && more.contains_key("results/running.html"));
    let said = "3 matches in site, 0 written, 3 pages removed";
    assert_eq!(archive(&house, &[], said), site);
    let url = ["--url", "https://club.example/chess"];
    let linked = archive(&house, &url, "3 matches in site, 0 written");
    assert!(linked["feed.xml"].contains("href=\"https://club.example/chess/matches/one.html\""));
}

/// No address, no word, no line of a log, no token and no Message-ID.
#[test]
fn the_site_tells_nothing_but_names_and_moves() {
    let house = club();
    let site = archive(&house, &["--running"], "4 matches in site, 4 written");
    let secret = std::fs::read(house.path(".local/share/parapost/secret")).ok();
    let mut private: Vec<String> = ["@", "secret.test", "private words", "machine.test", "chain"]
        .map(str::to_owned)
        .into();
    for id in ["one", "two", "three", "open"] {
        let text = house.read(format!("games/{id}.txt"));
        let (_, log) = text.split_once("\nLog\n").unwrap();
        for line in log.lines() {
            private.push(line.to_owned());
            let values = line.split([' ', '"', '<', '>']).filter_map(|word| {
                let value = word.split_once('=').map_or(word, |(_, value)| value);
                (value.len() > 15).then(|| value.to_owned())
            });
            private.extend(values.filter(|value| !value.contains("-20T")));
        }
    }
    assert!(private.len() > 40);
    for (path, text) in &site {
        for private in &private {
            // In the style of a page `@` begins `@media`, and in a script a place.
            let found = match private.as_str() {
                "@" => text
                    .split('@')
                    .skip(1)
                    .any(|behind| !behind.starts_with("media") && path.ends_with("xml")),
                private => text.contains(private),
            };
            assert!(!found, "{path}: {private}");
        }
        if let Some(secret) = &secret {
            assert!(
                !text
                    .as_bytes()
                    .windows(secret.len())
                    .any(|part| part == secret)
            );
        }
    }
}

fn times(house: &Sandbox) -> BTreeMap<PathBuf, SystemTime> {
    let files = house.contents().into_iter();
    let files = files.filter(|(path, _)| path.starts_with("site"));
    files
        .map(|(path, _)| {
            let data = std::fs::metadata(house.path(&path)).unwrap();
            (path, data.modified().unwrap())
        })
        .collect()
}

#[test]
fn a_second_run_writes_what_has_changed() {
    let house = club();
    let first = archive(&house, &[], "3 matches in site, 3 written");
    let before = times(&house);
    assert_eq!(archive(&house, &[], "3 matches in site, 0 written"), first);
    assert_eq!(times(&house), before);
    house.write("site/players/own.html", "my own page");
    let address = "p1.one@secret.test";
    house
        .parapost(of("ref", &["forget", address, "--yes"]))
        .any_stderr()
        .run();
    let again = archive(&house, &[], "3 matches in site, 1 written");
    assert!(again["matches/one.html"].contains("Player 1 \u{2013} Ben"));
    assert!(again.contains_key("players/own.html"));
    // Two is still Anna's; then nothing of her is left.
    house
        .parapost(of("ref", &["forget", "p2.two@secret.test", "--yes"]))
        .any_stderr()
        .run();
    let said = "3 matches in site, 1 written, 1 page removed";
    let last = archive(&house, &[], said);
    assert!(last.values().all(|text| !text.contains("Anna")));
    // A match that cannot be read keeps its page.
    house.write("games/one.txt", "Format: 1\nId: one\n");
    house
        .parapost(of("ref", &["archive", "site"]))
        .status(1)
        .stderr_contains("games/one.txt")
        .run();
    assert!(site(&house).contains_key("matches/one.html"));
}

#[test]
fn a_folder_with_something_else_is_left_alone() {
    let house = club().file("site/thesis.tex", "years of work");
    let before = house.contents();
    house
        .parapost(of("ref", &["archive", "site"]))
        .status(1)
        .stderr_contains("site: this folder holds something else")
        .run();
    house
        .parapost(of(
            "ref",
            &["archive", "other", "--url", "javascript:alert(1)"],
        ))
        .status(2)
        .stderr_contains("--url is the address")
        .run();
    assert_eq!(house.contents(), before);
}

/// A name stands in the feed as it is read, and marks nothing up.
#[test]
fn a_name_with_a_sign_of_markup_stands_in_the_feed_as_it_is() {
    let house = house();
    begin(&house, "one", ["R & D", "R &amp; D"], true);
    let site = archive(&house, &[], "1 match in site, 1 written");
    let feed = resvg::usvg::roxmltree::Document::parse(&site["feed.xml"]).unwrap();
    let titles = feed
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.w3.org/2005/Atom", "title")));
    let titles: Vec<&str> = titles.filter_map(|node| node.text()).collect();
    let expected = "Unachess: R & D \u{2013} R &amp; D";
    assert_eq!(titles, ["Matches", expected]);
}

/// Of players with as many points comes first who had fewer matches, and then by the name.
#[test]
#[ignore = "takes long"]
fn players_with_as_many_points_stand_in_a_certain_order() {
    let house = club();
    for (id, winner) in [("a", "Hugo"), ("b", "Gina"), ("c", "Fred"), ("d", "Dora")] {
        begin(&house, id, [winner, "Carl"], true);
    }
    let site = archive(&house, &[], "7 matches in site, 7 written");
    let table = site["crosstable.html"].split("<th scope=\"row\">");
    let rows: Vec<&str> = table.skip(1).collect();
    let names = ["Dora", "Fred", "Gina", "Hugo", "Anna", "Ben", "Carl"];
    for (row, (number, name)) in rows.iter().zip((1..).zip(names)) {
        let begins = format!("<span>{number}</span> <bdi>{name}</bdi></th>");
        assert!(row.starts_with(&begins), "{begins}: {rows:?}");
    }
    assert_eq!(rows.len(), names.len());
    let points = "<td class=\"points\">1</td><td>2</td>";
    assert!(rows[4].contains(points), "{rows:?}");
}

/// Readers of XML give up on a noncharacter, which is valid UTF-8.
#[test]
fn what_is_no_character_of_xml_stands_in_no_page_and_no_feed() {
    let house = house();
    begin(
        &house,
        "one",
        ["Anna\u{fffe}", "Ben\u{fdd0}\u{1ffff}"],
        true,
    );
    house
        .parapost(of("ref", &["archive", "site"]))
        .any_stdout()
        .any_stderr()
        .run();
    let mut files = 0;
    for (path, text) in house.contents() {
        if path.starts_with("site") || path.to_string_lossy().contains("/site/") {
            let text = String::from_utf8(text).unwrap();
            let bad = |c: char| matches!(c, '\u{fffe}' | '\u{ffff}' | '\u{fdd0}' | '\u{1ffff}');
            assert!(!text.contains(bad), "{}", path.display());
            if path.ends_with("feed.xml") {
                resvg::usvg::roxmltree::Document::parse(&text).unwrap();
                files += 1;
            }
        }
    }
    assert_eq!(files, 1);
}

/// Both players of a match may have one name.
#[test]
fn a_match_against_oneself_is_on_one_page_once_and_in_no_table() {
    let house = house();
    begin(&house, "one", ["Anna", "Anna"], true);
    let site = archive(&house, &[], "1 match in site, 1 written");
    let row = "<bdi>Anna</bdi></a></th><td>1</td><td>1</td><td>0</td><td>1</td></tr>";
    let players = &site["players.html"];
    assert!(players.contains(row), "{players}");
    let mut pages = site.iter().filter(|(path, _)| path.starts_with("players/"));
    let (_, page) = pages.next().unwrap();
    assert_eq!(page.matches("matches/one.html").count(), 1, "{page}");
    assert!(pages.next().is_none());
    let table = &site["crosstable.html"];
    assert!(!table.contains("<th scope=\"row\">"), "{table}");
}

/// Results over several games would say nothing: who is good at chess may be new to shogi.
#[test]
fn each_game_has_a_table_of_its_own() {
    let house = club();
    let words = [
        "new",
        "--id",
        "shogi",
        "--game",
        "shogi",
        "--white",
        "Anna <a@secret.test>",
        "--black",
        "Ben <b@secret.test>",
        "--moves",
        "P-c4 p-f6",
    ];
    house
        .parapost(of("ref", &words))
        .any_stdout()
        .any_stderr()
        .run();
    let letter = "From: b@secret.test\nTo: ref@example.org\nSubject: Re: [shogi]\n\
                  Message-ID: <1.shogi@machine.test>\n\nresign match\n";
    let receive = house.parapost(of("ref", &["receive"])).stdin(letter);
    receive.any_stdout().any_stderr().run();
    let site = archive(&house, &[], "4 matches in site, 4 written");
    let (_, tables) = site["crosstable.html"].split_once("<main>").unwrap();
    let (shogi, unachess) = tables.split_once("<h2>Unachess</h2>").unwrap();
    assert!(shogi.contains("<h2>Shogi</h2>"), "{shogi}");
    assert!(shogi.contains("<bdi>Anna</bdi></th><td class=\"points\">1</td><td>1</td>"));
    assert!(unachess.contains("<bdi>Anna</bdi></th><td class=\"points\">1</td><td>2</td>"));
    // The page of a game has its own.
    assert!(site["games/shogi.html"].contains("<table class=\"cross\">"));
    assert!(!site["years/2026.html"].contains("<table class=\"cross\">"));
}

/// What the configuration says is shown as it is, and is neither markup nor a style.
#[test]
fn a_club_has_its_name_and_its_colours() {
    let house = club();
    let plain = archive(&house, &[], "3 matches in site, 3 written");
    let config = house.read("ref.toml");
    let club = "\n[club]\nname = \"R & D </title><b>\"\ncolor = \"#7a1f1f\"\n";
    house.write("ref.toml", config.clone() + club);
    let site = archive(&house, &[], "3 matches in site, 3 written");
    let name = "R &amp; D &lt;/title>&lt;b>";
    for page in [
        "index.html",
        "players.html",
        "games/unachess.html",
        "matches/one.html",
        "feed.xml",
    ] {
        let text = site[page].replace("&#x2f;", "/").replace("&gt;", ">");
        assert!(text.contains(name), "{page}: {text}");
        if page != "feed.xml" {
            assert!(
                site[page].contains(":root{--accent:#7a1f1f;--club:#7a1f1f}"),
                "{page}"
            );
        }
        assert!(!plain[page].contains("7a1f1f"), "{page}");
    }
    assert_eq!(archive(&house, &[], "3 matches in site, 0 written"), site);
    for (lines, why) in [
        ("color = \"#ffe000\"", "[club] color: #ffe000 is too pale"),
        ("color = \"#7a1f1f;}\"", "is no colour like"),
        ("name = \"club@example.org\"", "[club] name:"),
    ] {
        house.write("ref.toml", format!("{config}\n[club]\n{lines}\n"));
        let run = house.parapost(of("ref", &["archive", "site"]));
        run.status(1).stderr_contains(why).run();
        assert_eq!(self::site(&house), site);
    }
}
