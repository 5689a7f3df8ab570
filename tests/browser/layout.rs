//! The HTML part of each mail on a telephone and on a desk, by day and by night.

use std::fmt::Write as _;
use std::path::Path;

use crate::browser::Chromium;
use crate::mail::Mail;
use crate::page::{Page, Screen, TELEPHONE};
use crate::situations::{self, Situation};

/// The most faults of one mail that are told: one often makes many.
const MOST_FAULTS: usize = 10;

/// A mail program that drops the head and the body of a page shows what is in it in a page of its own.
const DROP_HEAD: &str = "(() => {
    const inside = document.body.innerHTML;
    document.documentElement.innerHTML = '<head><title>Inbox</title></head><body><div></div></body>';
    document.body.firstChild.innerHTML = inside;
    return Promise.all(Array.from(document.images, picture => picture.decode().catch(() => null)));
})()";

/// The height of two screens of a telephone: all that is not opened stands above the links.
const TWO_SCREENS: f64 = 2.0 * 740.0;

/// Where the links begin, if there are any.
const FIRST_TAP: &str = "(() => {
    const tap = Array.from(document.querySelectorAll('.pp-fold')).find(fold => fold.offsetParent);
    return tap ? tap.getBoundingClientRect().top + scrollY : 0;
})()";

/// Opens what is folded.
const OPEN_FOLDS: &str =
    "document.querySelectorAll('details').forEach(fold => { fold.open = true; })";

/// A mail program that knows no folds drops their tags and keeps what is in them.
const DROP_FOLDS: &str = "document.querySelectorAll('details, summary').forEach(tag => {
    tag.replaceWith(...tag.childNodes);
})";

/// Looks at each mail on each screen and gives all faults, a line each.
fn look_at(situations: &[Situation]) -> String {
    let chromium = Chromium::start();
    let mut faults = String::new();
    for (name, mail) in situations {
        let found = look_at_one(&chromium, name, mail);
        for fault in found.iter().take(MOST_FAULTS) {
            let _ = writeln!(faults, "{name} {fault}");
        }
    }
    faults
}

fn look_at_one(chromium: &Chromium, name: &str, mail: &Mail) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let page = chromium.open(&mail.write_page(folder.path()));
    let mut faults = Vec::new();
    let mut note = |place: &str, found: Vec<String>| {
        faults.extend(found.into_iter().map(|fault| format!("{place}: {fault}")));
    };
    let telephone = Screen::new(TELEPHONE, false);
    page.show_on(telephone);
    page.photograph(&format!("{name}-folded"), telephone);
    page.show_on(telephone);
    let first = page.evaluate(FIRST_TAP).as_f64().expect("a height");
    if first > TWO_SCREENS {
        note("folded", vec![format!("its links begin at {first} pixels")]);
    }
    page.evaluate(OPEN_FOLDS);
    for screen in Screen::ALL {
        page.show_on(screen);
        note(&screen.name(), page.faults());
        // Colours don't depend on the width.
        if screen.width == TELEPHONE {
            note(&screen.name(), page.barriers());
        }
        if (screen.width == TELEPHONE) != screen.is_dark {
            page.photograph(name, screen);
        }
    }
    note("requests", outside(&page, mail));
    for screen in Screen::ALL {
        note(
            &screen.name(),
            page.faults_of_squares(folder.path(), screen),
        );
    }
    page.evaluate(DROP_HEAD);
    for screen in Screen::ALL.into_iter().filter(|screen| !screen.is_dark) {
        page.show_on(screen);
        note(&format!("without head, {}", screen.name()), page.faults());
    }
    page.evaluate(DROP_FOLDS);
    for screen in Screen::ALL.into_iter().filter(|screen| !screen.is_dark) {
        page.show_on(screen);
        note(&format!("without folds, {}", screen.name()), page.faults());
    }
    page.photograph(&format!("{name}-stripped"), telephone);
    faults
}

/// What the page asked for but for its own pictures, and what it complained of.
fn outside(page: &Page, mail: &Mail) -> Vec<String> {
    let (requests, mut faults) = page.doings();
    let own = mail.pictures.len();
    let is_picture = |url: &&String| Path::new(url).extension() == Some("png".as_ref());
    let mut pictures = requests.iter().filter(is_picture);
    let is_own = requests.len() == own && pictures.all(|url| url.starts_with("file:"));
    if !is_own {
        faults.push(format!("it has {own} pictures and asks for {requests:?}"));
    }
    faults
}

#[test]
fn the_mails_of_all_games_can_be_read_and_tapped() {
    let situations = situations::of_games();
    assert_eq!(situations.len(), 3 * 8);
    let faults = look_at(&situations);
    assert!(faults.is_empty(), "{faults}");
}

#[test]
fn every_kind_of_mail_can_be_read_and_tapped() {
    let faults = look_at(&situations::of_kinds());
    assert!(faults.is_empty(), "{faults}");
}

#[test]
fn the_longest_and_the_strangest_can_be_read_and_tapped() {
    let faults = look_at(&situations::of_extremes());
    assert!(faults.is_empty(), "{faults}");
}
