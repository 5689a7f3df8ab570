//! The feed of the matches that ended last (Atom, RFC 4287).

use std::fmt::Write as _;

use chrono::{DateTime, SecondsFormat, Utc};
use sha2::{Digest as _, Sha256};

use crate::render::page::escaped;
use crate::render::site::entry::{Entry, File};
use crate::rules::Color;

/// The most matches in the feed, and in the list of the first page.
pub(super) const NEWEST: usize = 50;

/// Writes the feed of finished matches, of which the newest come first.
pub(super) fn write(newest: &[&Entry], url: Option<&str>) -> File {
    let finished = || newest.iter().filter(|entry| entry.ended.is_some());
    let base = escaped(url.unwrap_or_default());
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
        let [white, black] = Color::ALL.map(|color| match entry.players[color.index()].as_str() {
            "" => entry.variant.player(color).to_owned(),
            name => name.to_owned(),
        });
        let game = entry.variant.game().name;
        let title = escaped(&format!("{game}: {white} \u{2013} {black}"));
        let sentence = entry.ended.as_ref().map_or("", |ended| &ended.sentence);
        let _ = writeln!(
            feed,
            "<entry>\n<title>{title}</title>\n<id>{}</id>\n<updated>{}</updated>\n\
             <link href=\"{base}matches/{}.html\"/>\n<summary>{}</summary>\n</entry>",
            uuid(&format!("match {} {}", entry.id, time(entry.last))),
            time(entry.last),
            entry.id,
            escaped(sentence)
        );
    }
    feed.push_str("</feed>\n");
    File {
        path: "feed.xml".to_owned(),
        text: feed,
    }
}

fn time(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// Returns an id made from a text (RFC 9562, version 8).
fn uuid(text: &str) -> String {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&Sha256::digest(format!("parapost {text}").as_bytes())[..16]);
    bytes[6] = bytes[6] & 0x0F | 0x80;
    bytes[8] = bytes[8] & 0x3F | 0x80;
    let number = u128::from_be_bytes(bytes);
    let hex = format!("{number:032x}");
    format!(
        "urn:uuid:{}-{}-{}-{}-{}",
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..]
    )
}
