//! The page that a mail carries: what is in it, who gets it, and that nobody reads it as a letter.

use std::path::Path;

use mail_parser::{Message, MessageParser, MimeHeaders, PartType};
use parapost::config::MailSettings;
use parapost::inbound::incoming_message;
use parapost::mail::transport::OutgoingMessage;
use parapost::matches::mail::NewMail;
use parapost::matches::r#match::Match;
use parapost::matches::player::Player;
use parapost::outbound::compose;
use parapost::outbound::templates::Templates;
use parapost::rules::Color;

use super::messages::{anna, owed, play, unachess};
use crate::matches::log::ids;

fn compose(game: &Match, has_html: bool) -> OutgoingMessage {
    let settings = MailSettings {
        html: has_html,
        page: true,
        ..MailSettings::default()
    };
    let templates = Templates::new("/nowhere").with_settings(settings);
    let owed = game.owed().last().unwrap();
    compose::compose(game, owed, &anna(), &templates, &ids()).unwrap()
}

fn parsed(message: &OutgoingMessage) -> Message<'static> {
    let bytes = message.bytes();
    MessageParser::default().parse(&bytes).unwrap().into_owned()
}

fn page(message: &OutgoingMessage) -> Option<String> {
    let message = parsed(message);
    let file = message.attachments().find(|part| {
        part.attachment_name().is_some_and(|name| {
            Path::new(name)
                .extension()
                .is_some_and(|kind| kind == "html")
        })
    })?;
    match &file.body {
        PartType::Html(html) | PartType::Text(html) => Some(html.to_string()),
        _ => panic!("a page that is no text"),
    }
}

fn after(moves: &str, mail: NewMail) -> Match {
    let mut game = unachess();
    play(&mut game, moves);
    owed(game, mail)
}

#[test]
fn the_page_is_attached_behind_what_the_mail_is_otherwise() {
    let game = after("P>e3", NewMail::new("position", Color::Black));
    for has_html in [false, true] {
        let message = compose(&game, has_html);
        assert_eq!(message.bytes(), compose(&game, has_html).bytes());
        let parts = parsed(&message);
        let kind = parts.parts[0].content_type().unwrap();
        assert_eq!((kind.ctype(), kind.subtype()), ("multipart", Some("mixed")));
        let last = parts.parts.last().unwrap();
        assert_eq!(last.content_disposition().unwrap().ctype(), "attachment");
        assert_eq!(last.attachment_name(), Some("demo.html"));
        let page = page(&message).expect("a page");
        assert!(page.starts_with("<!DOCTYPE html>"), "{page}");
        let text = String::from_utf8(message.bytes()).unwrap();
        assert!(text.lines().all(|line| line.len() <= 998));
    }
}

/// The page holds the reader's own code, and nothing that shows who the other player is
/// to a mail server.
#[test]
fn the_page_holds_no_address_but_the_sender_s() {
    let game = after("P>e3", NewMail::new("position", Color::Black));
    let page = page(&compose(&game, true)).unwrap();
    let mail = game.owed().last().unwrap();
    let code = ids().answer_code(&mail.msg).to_string();
    // Once for the script, and once in the link for those who run none.
    assert_eq!(page.matches(&code).count(), 2);
    assert!(page.contains("anna@example.org"));
    let black = game.player(Color::Black).address().to_string();
    assert!(!page.contains(&black), "{black}");
    assert!(!page.contains(mail.msg.bare()));
}

#[test]
fn only_the_player_to_move_gets_a_page() {
    for mail in [
        NewMail::new("receipt", Color::White),
        NewMail::new("position", Color::White),
        NewMail::new("answer", Color::Black).showing(0),
    ] {
        let game = after("P>e3", mail);
        assert_eq!(page(&compose(&game, true)), None);
    }
}

/// A mail program that forwards a mail, or returns it, need not say what was attached.
#[test]
fn a_page_that_comes_back_is_not_read() {
    let game = after("P>e3", NewMail::new("position", Color::Black));
    let page = page(&compose(&game, true)).unwrap();
    let read = |text: &str, disposition: &str| {
        let text = if text.is_empty() {
            String::new()
        } else {
            format!("--x\nContent-Type: text/plain\n\n{text}\n")
        };
        let message = format!(
            "From: a@b.test\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n\
             {text}--x\nContent-Type: text/html; charset=utf-8\n{disposition}\n{page}\n--x--\n"
        );
        let read = incoming_message::read(message.as_bytes()).unwrap();
        assert_eq!(read.unread, None);
        assert!(read.taken.forms.is_empty());
        read.text.trim().to_owned()
    };
    for disposition in [
        "",
        "Content-Disposition: attachment; filename=\"demo.html\"\n",
    ] {
        assert_eq!(read("n>g5", disposition), "n>g5");
        assert_eq!(read("", disposition), "");
    }
    let alone = format!(
        "From: a@b.test\nMIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n\n{page}\n"
    );
    let read = incoming_message::read(alone.as_bytes()).unwrap();
    assert_eq!(read.text.trim(), "");
}

/// What stands in a page between two texts.
fn within<'p>(page: &'p str, start: &str, end: &str) -> &'p str {
    let (_, behind) = page.split_once(start).expect(start);
    behind.split_once(end).expect(end).0
}

/// Names, an event and a game's talk that try to be markup, script, or another text.
#[test]
fn no_name_and_no_event_is_more_than_a_text() {
    const EVENT: &str = "</title></pre><!--<script>\u{202e}{{script}}{{data}}' onload=x &lt;";
    let names = [
        "{{data}}'&lt;/script&gt;\\u003c",
        "--!]]&quot; onerror=1 שלום é",
    ];
    let mut game = unachess();
    for (at, name) in names.iter().enumerate() {
        let addresses = game.settings().players[at].addresses().to_vec();
        let player = Player::new(name, addresses);
        game = with_player(&game, at, player.expect(name));
    }
    let mut settings = game.settings().clone();
    settings.event = Some(EVENT.to_owned());
    let mut game = Match::new(settings, game.started());
    play(&mut game, "P>e3");
    let game = owed(game, NewMail::new("position", Color::Black));
    let page = page(&compose(&game, true)).unwrap();
    for (tag, count) in [
        ("<script", 2),
        ("</script", 2),
        ("<pre", 1),
        ("</pre", 1),
        ("<!--", 0),
        ("\u{202e}", 0),
    ] {
        assert_eq!(page.matches(tag).count(), count, "{tag}");
    }
    let data = within(&page, "id=\"data\">", "</script>");
    assert!(!data.contains(['<', '>', '&']), "{data}");
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["players"], serde_json::json!(names));
    let title = within(&page, "<title>", "</title>");
    assert!(title.contains("{{data}}'&amp;lt;/script"), "{title}");
}

fn with_player(game: &Match, at: usize, player: Player) -> Match {
    let mut settings = game.settings().clone();
    settings.players[at] = player;
    Match::new(settings, game.started())
}

/// The words of the players, and the codes of other mails, stay out of a page.
#[test]
fn a_page_holds_no_words_and_no_other_code() {
    let mut game = unachess();
    play(&mut game, "P>e3 n>g5");
    let mut game = owed(game, NewMail::new("position", Color::White));
    play(&mut game, "K>e1");
    let mail = NewMail::new("position", Color::Black).saying("The secret plan is <b>n-e6</b>.");
    let game = owed(game, mail);
    let page = page(&compose(&game, true)).unwrap();
    assert!(!page.contains("secret plan"));
    let codes: Vec<String> = game
        .owed()
        .iter()
        .map(|mail| ids().answer_code(&mail.msg).to_string())
        .collect();
    assert!(codes.len() > 1);
    let (own, others) = codes.split_last().unwrap();
    assert_eq!(page.matches(own.as_str()).count(), 2);
    for other in others {
        assert!(!page.contains(other.as_str()));
    }
}
