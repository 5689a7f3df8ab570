//! Programs and people that read the mails of those who send HTML beside the text.

use super::{anna, answer, begin, ben, config, letter, mails, prints, receive, session};
use crate::outbound::taps::decode;
use crate::support::Sandbox;

fn referee() -> Sandbox {
    let config = config("ref", "referee").replace("html = false", "html = true");
    session("ref", "referee").file("config.toml", config)
}

fn header<'a>(mail: &'a str, name: &str) -> &'a str {
    let mut lines = mail.lines();
    lines
        .find_map(|line| line.strip_prefix(name))
        .unwrap()
        .trim()
}

/// Anna with a configuration that says nothing of HTML.
fn player() -> Sandbox {
    let config = config("anna", "player").replace("[mail]\nhtml = false\n", "");
    let session = session("anna", "player").file("config.toml", config);
    begin(&session, "m", "P>e3 n>g5");
    session
}

fn has_html(mail: &str) -> bool {
    mail.contains("\nContent-Type: text/html")
}

/// A player's opponent may have a telephone alone.
#[test]
fn a_tap_in_the_mail_of_a_player_is_played() {
    let session = player();
    let mail = prints(&session, &["move", "m", "K>e1", "--print"]);
    assert!(has_html(&mail), "{mail}");
    let html = body_of(&mail);
    let (_, targets) = html.split_once("Place a king").unwrap();
    let (_, target) = targets.split_once("<a href=\"").unwrap();
    let (target, _) = target.split_once('"').unwrap();
    let [to, subject, body] = decode(&target.replace("&amp;", "&").replace("&#x2f;", "/"));
    assert_eq!(to, "anna@example.org");
    let tapped = letter("Ben <ben@example.org>", &subject, &body);
    receive(&session, &[], &tapped, "m", "accepted").run();
    let (text, _) = body.split_once('\r').unwrap();
    assert!(text.starts_with("k>"), "{text}");
    assert!(session.read("games/m.txt").contains(text), "{text}");
}

#[test]
fn a_player_or_the_opponent_can_do_without_html() {
    let session = player();
    // The last mail: a wish is confirmed in one of its own.
    let moves = |text: &str| {
        let printed = prints(&session, &["move", "m", text, "--print"]);
        mails(&printed).pop().unwrap_or(printed)
    };
    let mail = moves("K>e1");
    let wish = answer(&mail, "mail html off\n\nk>e8\n");
    receive(&session, &[], &wish, "m", "accepted").run();
    let mail = moves("P>a2");
    assert!(!has_html(&mail), "{mail}");
    let wish = answer(&mail, "mail html on\n\np>a7\n");
    receive(&session, &[], &wish, "m", "accepted").run();
    assert!(has_html(&moves("P>b2")));

    let session = anna();
    receive(&session, &[], &ben("n>g5\n"), "m", "accepted").run();
    let mail = prints(&session, &["move", "m", "K>e1", "--print"]);
    assert!(!has_html(&mail), "{mail}");
}

/// The mail without the `From ` line of its mailbox.
fn alone(mail: &str) -> &str {
    mail.split_once('\n').unwrap().1
}

/// A player's own program enters the match from the invitation and the opponent's move
/// from the next mail, as from text alone.
#[test]
fn a_players_program_reads_the_text() {
    let referee = referee();
    referee
        .parapost(["new", "--game", "unachess", "--id", "m"])
        .args(["--white", "Anna <anna@example.org>"])
        .args(["--black", "Ben <ben@example.org>"])
        .any_stdout()
        .any_stderr()
        .run();
    let command = ["send", "--print", "m"];
    let sent = referee.parapost(command).any_stdout().any_stderr().run();
    let invitations = mails(&sent.stdout);
    let of_ben = invitations
        .iter()
        .find(|mail| header(mail, "To:").contains("ben"));
    let ben = session("ben", "player");
    ben.parapost(["receive", "--accept"])
        .stdin(alone(of_ben.unwrap()))
        .stdout_contains("\tm\tinvitation\n")
        .any_stderr()
        .run();
    let first = letter("Anna <anna@example.org>", "Re: [m]", "P>e3\n");
    let moved = receive(&referee, &["--print"], &first, "m", "accepted").run();
    let moved = mails(&moved.stdout);
    let position = moved
        .iter()
        .find(|mail| header(mail, "To:").contains("ben"));
    let position = alone(position.unwrap());
    assert!(
        position.contains("Content-Type: multipart/related"),
        "{position}"
    );
    receive(&ben, &[], position, "m", "accepted").run();
    // A mail proves the record that it shows.
    ben.parapost(["verify", "m", "-"])
        .stdin(position)
        .any_stdout()
        .any_stderr()
        .run();
    let answer = ben.parapost(["move", "m", "n>g5", "--print"]);
    let answer = answer.any_stdout().any_stderr().run();
    receive(&referee, &["--print"], &answer.stdout, "m", "accepted").run();
}

/// The HTML of a mail of ours, between the tags of its body.
fn body_of(mail: &str) -> String {
    let message = mail_parser::MessageParser::default()
        .parse(mail.as_bytes())
        .unwrap();
    let html = message.body_html(0).unwrap().into_owned();
    let (_, body) = html.split_once("<body").unwrap();
    let (_, body) = body.split_once('>').unwrap();
    body.split_once("</body>").unwrap().0.to_owned()
}

/// Went wrong: our mail left nothing in a quotation, so the line above that says who wrote
/// it was taken to introduce the player's own words below.
#[test]
#[ignore = "takes long"]
fn an_answer_below_a_quotation_in_html_is_played() {
    let wrote = "On 20/11/26 03:00, The referee &lt;ref@example.org&gt; wrote:";
    for (before, behind) in [
        // Thunderbird
        (
            format!(
                "<div class=\"moz-cite-prefix\">{wrote}<br></div><blockquote type=\"cite\" cite=\"mid:ID\"><meta http-equiv=\"content-type\" content=\"text/html; charset=UTF-8\"><title></title><style>.pp-soft {{ color: #b4bac2 !important }}</style>"
            ),
            "</blockquote>",
        ),
        // Apple Mail
        (
            format!(
                "<div><br><blockquote type=\"cite\"><div>{wrote}</div><br class=\"Apple-interchange-newline\"><div>"
            ),
            "</div></blockquote></div>",
        ),
    ] {
        for (own, word) in [("N&gt;d4", "accepted"), ("resign", "command")] {
            let session = referee();
            begin(&session, "m", "P>e3");
            let moved = letter("Ben <ben@example.org>", "Re: [m]", "n>g5\n");
            let moved = receive(&session, &["--print"], &moved, "m", "accepted").run();
            let mails = mails(&moved.stdout);
            let to_anna = mails
                .iter()
                .find(|mail| header(mail, "To:").contains("anna"))
                .unwrap();
            let id = header(to_anna, "Message-ID:");
            let quoted = body_of(alone(to_anna));
            let answer = format!(
                "From: Anna <anna@example.org>\nTo: ref@example.org\nSubject: Re: [m]\nMessage-ID: <1@anna.test>\nIn-Reply-To: {id}\nMIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n<html><head><meta charset=utf-8></head><body>{before}{quoted}{behind}<p>{own}</p></body></html>\n"
            );
            receive(&session, &["--print"], &answer, "m", word).run();
        }
    }
}

/// Outlook on the web renames the classes, so that nothing tells our tables from others: with
/// the boards of links they took more room than a letter may.
#[test]
fn the_largest_mails_are_answered_in_outlook() {
    for (game, first, second) in [
        ("unashogi", "P>e4", "p&gt;e6"),
        ("unachess", "P>e4", "p&gt;e5"),
    ] {
        let session = player();
        let new = ["new", "--game", game, "--id", "s", "--print"];
        let new = [&new[..], &["Ben <ben@example.org>"]].concat();
        prints(&session, &new);
        let words =
            "Some words that fill a line of a letter, and another, and one more.\n".repeat(40);
        let mail = session
            .parapost(["move", "s", first, "--print", "--say", "-"])
            .stdin(&words)
            .any_stdout()
            .any_stderr()
            .run()
            .stdout;
        let id = header(&mail, "Message-ID:");
        let quoted = body_of(&mail).replace("class=\"", "class=\"x_");
        let answer = format!(
            "From: Ben <ben@example.org>\nTo: anna@example.org\nSubject: Re: [s]\nMessage-ID: <1@ben.test>\nIn-Reply-To: {id}\nMIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n<html><body dir=\"ltr\"><div class=\"elementToProof\">{second}</div><div id=\"appendonsend\"></div><hr><div id=\"divRplyFwdMsg\" dir=\"ltr\"><font><b>From:</b> Anna &lt;anna@example.org&gt;<br><b>Sent:</b> Friday, November 20, 2026<br><b>To:</b> Ben<br><b>Subject:</b> [s]</font></div>{quoted}</body></html>\n"
        );
        receive(&session, &[], &answer, "s", "accepted").run();
    }
}
