//! What the checks of a page find: a page without a fault, and the same with one fault at a time.

use std::fs;

use crate::browser::Chromium;
use crate::page::{Page, Screen};

/// A mail as ours are, by hand. `REPLACED` stands where the faults are put.
const PAGE: &str = r#"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Anna has played P&gt;e3</title>
<style>
body { color: #111111; background: #ffffff }
@media (prefers-color-scheme: dark) { body { color: #eeeeee; background: #111111 } }
</style>
</head>
<body style="margin:0;padding:12px;font-family:sans-serif;font-size:16px;line-height:24px">
<p>Anna (White) has played 1. P&gt;e3.</p>
<img width="336" height="336" style="width:100%;max-width:480px;height:auto" alt="White: pawn on e3."
 src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9' width='9' height='9'%3E%3Cpath d='M0 0h9v9H0z' fill='tan'/%3E%3C/svg%3E">
<table role="presentation"><tr><td><a
 style="display:block;padding:10px;color:#ffffff;background:#1f5f3f;text-decoration:none"
 href="mailto:ref@example.org?subject=x">to d5</a></td></tr></table>
<!-- FAULT -->
</body>
</html>
"#;

/// A fault, the place where it is put instead, and what is said of it.
const FAULTS: [(&str, &str, &str); 20] = [
    (
        "<!-- FAULT -->",
        "<p style=\"width:400px\">wide</p>",
        "pixels wide",
    ),
    (
        "<!-- FAULT -->",
        "<p>xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx</p>",
        "reaches from",
    ),
    (
        "<!-- FAULT -->",
        "<p style=\"width:200px;overflow:hidden\"><b style=\"margin-left:190px\">hidden</b></p>",
        "is cut off",
    ),
    ("<!-- FAULT -->", "<p><small>small</small></p>", "is 13.3"),
    (
        "<!-- FAULT -->",
        "<p style=\"margin-top:-36px;position:relative\">xxxxxxxxxx</p>",
        "covers",
    ),
    (
        "padding:10px;color",
        "padding:2px 20px;color",
        "is 28 pixels high to a finger",
    ),
    (
        "padding:10px;color",
        "padding:10px 0;width:20px;color",
        "is 20 pixels wide to a finger",
    ),
    (
        "<!-- FAULT -->",
        "<a style=\"display:block;height:44px;margin-top:-30px\" href=\"mailto:ref@example.org\">to</a>",
        "covers",
    ),
    (
        "mailto:ref@example.org?subject=x",
        "https://example.org/",
        "leads to https://example.org/",
    ),
    (
        "width:100%;max-width:480px;height:auto",
        "width:300px;height:200px",
        "is shown as",
    ),
    (
        "width:100%;max-width:480px;height:auto",
        "width:100px;height:auto",
        "the board is only",
    ),
    (
        "viewBox='0 0 9 9' width='9'",
        "viewBox='0 0 18 9' width='18'",
        "not nearly square",
    ),
    (
        "alt=\"White: pawn on e3.\"",
        "alt=\"\"",
        "has no alternative text",
    ),
    (
        "<!-- FAULT -->",
        "<img src=\"gone.png\" alt=\"gone\">",
        "gone.png is not shown",
    ),
    ("<!-- FAULT -->", "<p>שלום, 10 days</p>", "is shown before"),
    (
        "<!-- FAULT -->",
        "<script>1</script>",
        "a mail has no <script>",
    ),
    (
        "<!-- FAULT -->",
        "<p onclick=\"1\">x</p>",
        "a mail has no onclick",
    ),
    (
        "<!-- FAULT -->",
        "<p style=\"background:url(x.png)\">x</p>",
        "a mail has no style",
    ),
    ("<html lang=\"en\">", "<html>", "html-has-lang"),
    (
        "color:#ffffff;background:#1f5f3f",
        "color:#777777;background:#999999",
        "color-contrast",
    ),
];

/// Opens the page with one text in it replaced.
fn open(chromium: &Chromium, old: &str, new: &str) -> Page {
    assert!(PAGE.contains(old), "{old}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    fs::write(&file, PAGE.replace(old, new)).unwrap();
    let page = chromium.open(&file);
    page.show_on(Screen::new(360, false));
    page
}

fn all_faults(page: &Page) -> Vec<String> {
    let mut faults = page.faults();
    faults.extend(page.barriers());
    faults
}

#[test]
fn a_good_page_has_no_faults() {
    let chromium = Chromium::start();
    let page = open(&chromium, "<!-- FAULT -->", "");
    for screen in Screen::ALL {
        page.show_on(screen);
        assert_eq!(all_faults(&page), [] as [&str; 0], "{screen:?}");
    }
    let (requests, console) = page.doings();
    let requests: Vec<_> = requests
        .iter()
        .filter(|url| !url.starts_with("data:"))
        .collect();
    assert_eq!(
        (requests.len(), console.len()),
        (0, 0),
        "{requests:?} {console:?}"
    );
}

#[test]
fn each_fault_is_found() {
    let chromium = Chromium::start();
    for (old, new, said) in FAULTS {
        let faults = all_faults(&open(&chromium, old, new));
        assert!(
            faults.iter().any(|fault| fault.contains(said)),
            "{new}: {said}: {faults:?}"
        );
    }
}

/// Text that does not follow the colours of the night, which only a dark screen shows.
#[test]
fn a_fault_of_the_night_is_found() {
    let chromium = Chromium::start();
    let page = open(
        &chromium,
        "<!-- FAULT -->",
        "<p style=\"color:#222222\">dark</p>",
    );
    assert_eq!(all_faults(&page), [] as [&str; 0]);
    page.show_on(Screen::new(360, true));
    let faults = all_faults(&page);
    assert!(
        faults.iter().any(|fault| fault.contains("color-contrast")),
        "{faults:?}"
    );
}

/// Boards of links whose chequers the table draws: in the right place, half a square away, and with
/// the two colours swapped.
#[test]
fn a_square_of_another_color_is_found() {
    const BOARD: &str = r#"<details open><summary>Place a pawn</summary>
<table cellspacing="0" cellpadding="0" style="background: repeating-conic-gradient(#cccccc 0 25%, #ffffff 0 50%) 36px 0 / 72px 72px">
<tr><th width="36">2<td><a>+</a><td><a>+</a>
<tr><th>1<td><a>+</a><td><a>+</a>
<tr><td><td width="36">a<td width="36">b</tr></table></details>"#;
    let chromium = Chromium::start();
    let links = BOARD.replace(
        "<a>",
        "<a style=\"display:block;height:36px\" href=\"mailto:ref@example.org\">",
    );
    let moved = links.replace(") 36px 0", ") 18px 0");
    let swapped = links.replace(") 36px 0", ") 0 0");
    for (board, said) in [
        (links, ""),
        (moved, "its dark squares show 2 colours"),
        (swapped, "are no darker than"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("page.html");
        fs::write(&file, PAGE.replace("<!-- FAULT -->", &board)).unwrap();
        let faults = chromium
            .open(&file)
            .faults_of_squares(folder.path(), Screen::new(360, false));
        assert_eq!(faults.is_empty(), said.is_empty(), "{faults:?}");
        assert!(
            faults.iter().all(|fault| fault.contains(said)),
            "{faults:?}"
        );
    }
}

#[test]
fn what_a_page_asks_for_and_complains_of_is_found() {
    let chromium = Chromium::start();
    let page = open(
        &chromium,
        "<!-- FAULT -->",
        "<img src=\"http://example.org/spy.png\" alt=\"spy\"><script>console.error('alas'); gone()</script>",
    );
    let (requests, console) = page.doings();
    assert!(
        requests.contains(&"http://example.org/spy.png".to_owned()),
        "{requests:?}"
    );
    assert!(
        console.iter().any(|text| text.contains("alas")),
        "{console:?}"
    );
    assert!(
        console.iter().any(|text| text.contains("Uncaught")),
        "{console:?}"
    );
}
