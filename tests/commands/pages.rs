//! `parapost show --as html` of a match: what its page tells.

use serde_json::Value;

use crate::commands::play::{demo, of, refused};
use crate::support::Sandbox;

/// Words that would end the script that they stand in, or begin another, or turn the text.
const HOSTILE: &str = "</script><script>alert(1)</script><!-- <img src=x onerror=alert(1)> \u{2028}\u{202e}\u{1b}[2J\n\
                       </pre>\n</html>\n<!DOCTYPE html>\n<pre id=\"post\">\n1. P>a2";

fn run(house: &Sandbox, who: &str, words: &[&str]) {
    house
        .parapost(of(who, words))
        .any_stdout()
        .any_stderr()
        .run();
}

/// A match with words before its first move, at its moves, and of a move that was undone.
fn talk() -> Sandbox {
    let house = demo();
    run(&house, "anna", &["note", "demo", "A good game!"]);
    run(&house, "anna", &["move", "demo", "P>e4"]);
    run(&house, "anna", &["note", "demo", "too fast"]);
    run(&house, "anna", &["undo", "demo"]);
    run(&house, "anna", &["move", "demo", "P>e3", "--send"]);
    let letter = "From: Ben <ben@example.org>\nTo: anna@example.org\nSubject: [demo]\nMessage-ID: <1@b.test>\n\
         Content-Type: text/plain; charset=utf-8\n\nn>g5\n\nThis & that <b>.\n";
    let receive = house.parapost(of("anna", &["receive"])).stdin(letter);
    receive.any_stdout().any_stderr().run();
    run(&house, "ben", &["note", "demo", HOSTILE]);
    house
}

fn page(house: &Sandbox, more: &[&str]) -> String {
    let words = [&["show", "demo", "--as", "html"], more].concat();
    house.parapost(of("anna", &words)).any_stdout().run().stdout
}

/// What stands in a page as data.
fn data(page: &str) -> Value {
    let (_, behind) = page
        .split_once("<script type=\"application/json\" id=\"data\">")
        .unwrap();
    let (data, _) = behind.split_once("</script>").unwrap();
    serde_json::from_str(data).unwrap()
}

fn notes(page: &str) -> Vec<Vec<(String, String)>> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let data = data(page);
    let positions = data["positions"].as_array().unwrap().iter();
    positions
        .map(|position| {
            let notes = position["notes"].as_array().into_iter().flatten();
            notes
                .map(|note| (text(&note["by"]), text(&note["text"])))
                .collect()
        })
        .collect()
}

#[test]
fn a_page_shows_words_only_if_asked_and_at_their_moves() {
    let house = talk();
    let silent = page(&house, &[]);
    assert!(notes(&silent).iter().all(Vec::is_empty));
    for word in ["good game", "too fast", "onerror"] {
        assert!(!silent.contains(word), "{word}");
    }
    let told = notes(&page(&house, &["--notes"]));
    let anna = |text: &str| ("Anna".to_owned(), text.to_owned());
    assert_eq!(told[0], [anna("A good game!"), anna("too fast")]);
    assert_eq!(told[1], []);
    assert_eq!(told.len(), 3);
    let shown = HOSTILE.replace(['\u{2028}', '\u{202e}', '\u{1b}'], "");
    let ben = |text: &str| ("Ben".to_owned(), text.to_owned());
    assert_eq!(told[2], [ben("This & that <b>."), ben(&shown)]);
    // An earlier position has nothing of what came later.
    let early = page(&house, &["--notes", "--at", "1"]);
    assert!(!early.contains("onerror") && early.contains("good game"));
}

/// Words are data: no tag of theirs is one of the page, which is read back as it was.
#[test]
fn hostile_words_are_harmless_on_a_page() {
    let house = talk();
    let [silent, told] = [&[][..], &["--notes"]].map(|more| page(&house, more));
    assert_ne!(silent, told);
    for tag in [
        "<script",
        "</script",
        "<!--",
        "<img",
        "<pre",
        "</html",
        "<!DOCTYPE",
    ] {
        let count = |page: &str| page.matches(tag).count();
        assert_eq!(count(&told), count(&silent), "{tag}");
    }
    for wild in ['\u{2028}', '\u{202e}', '\u{1b}'] {
        assert!(!told.contains(wild), "{wild:?}");
    }
    let check = |page: &str| {
        let run = house.parapost(["check"]).stdin(page);
        run.any_stdout()
            .stderr("-: Unachess, 2 half-moves, White to move\n")
            .run()
            .stdout
    };
    assert_eq!(check(&told), check(&silent));
    assert!(
        check(&told).contains("1.  P>e3    n>g5"),
        "{}",
        check(&told)
    );
}

/// A page with words of the players, or with a code, could be read by everybody.
#[cfg(unix)]
#[test]
fn a_page_with_what_is_not_for_everybody_is_for_the_user_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let house = talk();
    let mode = |options: &[&str]| {
        let words = [
            &["show", "demo", "--as", "html", "-o", "page.html"],
            options,
        ]
        .concat();
        run(&house, "anna", &words);
        let found = std::fs::metadata(house.path("page.html")).unwrap();
        found.permissions().mode() & 0o777
    };
    assert_eq!(mode(&["--notes"]), 0o600);
    std::fs::remove_file(house.path("page.html")).unwrap();
    assert_ne!(mode(&[]) & 0o044, 0);
    assert_eq!(mode(&["--notes"]) & 0o007, 0);
}

#[test]
fn words_are_for_the_page_of_a_match() {
    let house = talk().file("post.txt", "1. P>e3\n");
    for (words, why) in [
        (&["show", "demo", "--notes"][..], "--as html"),
        (&["show", "demo", "--answer", "--notes"], "--as html"),
        (&["show", "demo", "--as", "svg", "--notes"], "--as html"),
        (&["show", "demo", "--json", "--notes"], "--notes"),
        (
            &["show", "--as", "html", "--notes", "./post.txt"],
            "name its id",
        ),
        (&["archive", "site", "--notes"], "--notes"),
    ] {
        refused(&house, of("anna", words), 2, why);
    }
}
