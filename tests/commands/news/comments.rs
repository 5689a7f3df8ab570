//! `parapost news comments`.

use crate::commands::news::fetch::{fetched, follow_up, follow_up_with, post, posted};
use crate::commands::news::post::log;
use crate::servers::inn::{GROUP, Inn};

#[test]
#[ignore = "needs INN, openssl"]
fn comments_are_shown_and_nothing_in_them_is_obeyed() {
    let inn = Inn::start(true);
    let house = posted(&inn);
    let before = log(&house);
    post(
        &inn,
        &format!(
            "From: kim@example.net\nNewsgroups: {GROUP}\nSubject: another thread\n\nNot shown.\n"
        ),
    );
    house
        .parapost(["news", "comments", "demo"])
        .stderr(
            "demo: nobody has written about it in the last 5000 numbers of rec.games.abstract\n",
        )
        .run();
    let kim = "Kim <kim@example.net>";
    let text = "Anna <anna@example.invalid> writes:\n> 1.  P>e3\n\nNice!\u{1b}[2J\u{202e}gone\n";
    follow_up_with(
        &inn,
        kim,
        "kim",
        "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n",
        text,
    );
    follow_up(
        &inn,
        "Ben <ben@example.test>",
        "long",
        &"line\n".repeat(300),
    );
    let run = house.parapost(["news", "comments", "demo"]).any_stdout();
    let said = run.run().stdout;
    assert!(
        said.starts_with("From: Kim <kim@example.net>\nDate: ")
            && said.contains(
                "\nSubject: Re: a match\n\nAnna <anna@example.invalid> writes:\n> 1.  P>e3\n\nNice!"
            ),
        "{said}"
    );
    assert!(
        !said.contains(['\u{1b}', '\u{202e}']) && !said.contains("Not shown"),
        "{said:?}"
    );
    assert!(said.ends_with("line\n[100 lines left out]\n\n"), "{said}");
    let run = house
        .parapost(["news", "comments", "demo", "--json"])
        .any_stdout();
    let json: serde_json::Value = serde_json::from_str(&run.run().stdout).unwrap();
    assert_eq!(json["comments"].as_array().unwrap().len(), 2);
    assert_eq!(json["comments"][0]["message_id"], "<kim@reader.test>");
    assert_eq!(json["comments"][0]["from"], kim);
    assert_eq!(log(&house), before);
    let run = house.parapost(["news", "comments", "demo", "--back", "1"]);
    let said = run.any_stdout().run().stdout;
    assert!(said.starts_with("From: Ben"), "{said}");
    fetched(&house, 0, &[]);
}
