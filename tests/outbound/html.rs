//! The HTML beside the text: its form, its safety and its size.

use mail_parser::{Message, MessageParser, MessagePart, MimeHeaders, PartType};
use parapost::inbound::incoming_message;
use parapost::mail::transport::OutgoingMessage;
use parapost::matches::event::{Event, LogEntry};
use parapost::matches::mail::{MailWish, NewMail};
use parapost::matches::r#match::{Match, MatchSettings};
use parapost::matches::player::Player;
use parapost::outbound::compose;
use parapost::outbound::templates::Templates;
use parapost::rules::{Color, Ply};

use super::messages::{anna, owed, play, text, text_alone, unachess};
use crate::matches::log::{ids, settings, time};

const WHITE: Color = Color::White;
const BLACK: Color = Color::Black;

fn compose_with(game: &Match, templates: &Templates) -> OutgoingMessage {
    let owed = game.owed().last().unwrap();
    compose::compose(game, owed, &anna(), templates, &ids()).unwrap()
}

/// The mail that the match owes last, with HTML.
fn compose(game: &Match) -> OutgoingMessage {
    compose_with(game, &Templates::new("/nowhere"))
}

fn parsed(message: &OutgoingMessage) -> Message<'static> {
    let bytes = message.bytes();
    let message = MessageParser::default().parse(&bytes).unwrap();
    message.into_owned()
}

fn html(message: &OutgoingMessage) -> String {
    let message = parsed(message);
    let parts = message.parts.iter();
    let mut pages = parts.filter_map(|part| match &part.body {
        PartType::Html(html) => Some(html.replace("\r\n", "\n")),
        _ => None,
    });
    pages.next().expect("no HTML")
}

/// The number of bytes of the HTML as they are sent.
fn sent_length(message: &OutgoingMessage) -> usize {
    let bytes = message.bytes();
    let message = MessageParser::default().parse(&bytes).unwrap();
    let is_html = |part: &&MessagePart<'_>| matches!(part.body, PartType::Html(_));
    let part = message.parts.iter().find(is_html).expect("HTML");
    usize::try_from(part.offset_end - part.offset_body).unwrap()
}

fn is_text_alone(message: &OutgoingMessage) -> bool {
    parsed(message).parts.len() == 1
}

fn after(moves: &str, mail: NewMail) -> Match {
    let mut game = unachess();
    play(&mut game, moves);
    owed(game, mail)
}

#[test]
fn the_parts_are_those_that_mail_programs_show_best() {
    let game = after("P>e3", NewMail::new("position", BLACK));
    let message = parsed(&compose(&game));
    let kinds: Vec<String> = message
        .parts
        .iter()
        .map(|part| {
            let kind = part.content_type().unwrap();
            format!("{}/{}", kind.ctype(), kind.subtype().unwrap())
        })
        .collect();
    assert_eq!(
        kinds,
        [
            "multipart/related",
            "multipart/alternative",
            "text/plain",
            "text/html",
            "image/png"
        ]
    );
    let related = message.parts[0].content_type().unwrap();
    assert_eq!(related.attribute("type"), Some("multipart/alternative"));
    let picture = &message.parts[4];
    assert!(picture.content_disposition().unwrap().is_inline());
    let id = picture.content_id().unwrap();
    let html = html(&compose(&game));
    assert!(html.contains(&format!("src=\"cid:{id}\"")), "{id}");
    // Whoever knows the token of a Message-ID passes for the player.
    let token = game.owed()[0].msg.as_str().split('.').nth(2).unwrap();
    let token = token.split('@').next().unwrap();
    assert!(!html.contains(token));
    let (PartType::InlineBinary(png) | PartType::Binary(png)) = &picture.body else {
        panic!("no picture");
    };
    assert!(png.starts_with(b"\x89PNG"));
}

/// A program that reads our mail reads what it has always read.
#[test]
fn the_text_is_the_same_with_html_and_without() {
    for mail in [
        NewMail::new("position", BLACK).saying("Schöne Grüße\n\nFrom me"),
        NewMail::new("invitation", BLACK),
        NewMail::new("answer", BLACK).saying("You asked."),
    ] {
        let game = after("P>e3", mail);
        let alone = compose_with(&game, &text_alone("/nowhere"));
        let both = compose(&game);
        assert!(is_text_alone(&alone) && !is_text_alone(&both));
        let part = |message: &OutgoingMessage| {
            let message = parsed(message);
            let text = message.parts.iter().find_map(|part| match &part.body {
                PartType::Text(text) => Some(text.trim_end().to_owned()),
                _ => None,
            });
            text.unwrap()
        };
        assert_eq!(part(&both), part(&alone));
        let read = |message: &OutgoingMessage| {
            let read = incoming_message::read(&message.text()).unwrap();
            let text = read.text.trim_end().to_owned();
            (read.id, read.subject, read.cites, text)
        };
        assert_eq!(read(&both), read(&alone));
        for line in text(&both).lines() {
            assert!(line.len() <= 998 && !line.starts_with("From "), "{line}");
        }
    }
}

#[test]
fn a_mail_with_html_is_the_same_whenever_it_is_made() {
    let game = after("P>e3", NewMail::new("position", BLACK));
    let first = game.owed()[0].clone();
    let before = compose(&game).bytes();
    let mut later = game.clone();
    play(&mut later, "n>g5");
    let again = compose::compose(&later, &first, &anna(), &Templates::new("/nowhere"), &ids());
    assert_eq!(again.unwrap().bytes(), before);
    let other = compose(&owed(later, NewMail::new("position", WHITE)));
    let boundary = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let (_, rest) = text.split_once("boundary=\"").unwrap();
        rest.split('"').next().unwrap().to_owned()
    };
    assert_ne!(boundary(&other.bytes()), boundary(&before));
}

/// What somebody else writes is shown, and nothing of it is a tag, a link or a style.
#[test]
fn whatever_comes_from_outside_is_escaped() {
    let words = "<script>alert(1)</script> \"quoted\" & <a href=\"javascript:x\">y</a> \
                 <img src=x onerror=y> \u{202e}txet {{ id }} {% raw %} </td></table> http://a.test";
    let mut settings = MatchSettings {
        event: Some("Cup \" onload='x' & <b>".to_owned()),
        ..settings("unachess", &[])
    };
    settings.players[0] = "O'Neil & Söhne <o@example.org>".parse().unwrap();
    let mut game = Match::new(settings, time());
    play(&mut game, "P>e3");
    for kind in ["position", "note", "answer", "receipt"] {
        let game = owed(game.clone(), NewMail::new(kind, BLACK).saying(words));
        let html = html(&compose(&game));
        assert!(
            html.contains("&lt;script&gt;alert(1)&lt;&#x2f;script&gt;"),
            "{html}"
        );
        assert!(
            html.contains("Cup &quot; onload=&#x27;x&#x27; &amp; &lt;b&gt;"),
            "{html}"
        );
        assert!(html.contains("{{ id }} {% raw %}"), "{html}");
        assert!(!html.contains('\u{202e}'));
        for tag in ["<script", "<img src=x", "<b>", "<a href=\"javascript"] {
            assert!(!html.contains(tag), "{tag}");
        }
        // Nothing but the taps is a link, and nothing comes from the network.
        for (target, _) in html.match_indices("href=\"") {
            assert!(html[target..].starts_with("href=\"mailto:"), "{html}");
        }
        assert!(!html.contains("url(") && !html.contains("src=\"http"));
    }
}

/// Gmail clips a mail above 102 kB.
#[test]
#[ignore = "takes long"]
fn the_longest_page_stays_below_what_programs_clip() {
    let mut settings = settings("kingchess", &[]);
    let name = "\"".replace('"', "&").repeat(60);
    settings.players[0] = format!("{name} <a@example.org>").parse().unwrap();
    settings.event = Some("'".repeat(60));
    let mut game = Match::new(settings, time());
    let mut plies = 0;
    let mut random = fastrand::Rng::with_seed(7);
    while game.turn().is_some() && plies < 600 {
        let moves = game.position().single_plies();
        let text = game.position().text(&moves[random.usize(..moves.len())]);
        play(&mut game, &text);
        plies += 1;
    }
    let words = "\"".repeat(4000);
    for kind in [
        "position",
        "note",
        "answer",
        "legal",
        "rules",
        "invitation",
        "receipt",
    ] {
        for to in [WHITE, BLACK] {
            let mail = NewMail::new(kind, to).saying(words.as_str());
            let length = sent_length(&compose(&owed(game.clone(), mail)));
            assert!(length < 95_000, "{kind}: {length}");
        }
    }
    let many = owed(
        game,
        NewMail::new("note", BLACK).saying("\"".repeat(40_000)),
    );
    assert!(sent_length(&compose(&many)) < 95_000);
    assert!(html(&compose(&many)).contains("This is the beginning"));
}

/// A mail is as light as `docs/limits.md` says, in the opening and later, and has every drop as
/// a link where no more than 95,000 bytes are sent.
#[test]
#[ignore = "takes long"]
fn the_mails_of_all_games_weigh_little() {
    let mut rng = fastrand::Rng::with_seed(28);
    for variant in crate::variants::variants() {
        for plies in [0, 1, 14, 40] {
            let record = crate::playing::game(&variant, plies, &mut rng);
            let mut game = crate::outbound::taps::match_of(&record);
            let Some(turn) = game.turn() else { continue };
            let kind = if plies == 0 { "invitation" } else { "position" };
            let taps = crate::outbound::taps::taps(&mut game, turn);
            let game = owed(game, NewMail::new(kind, turn));
            let mail = compose(&game);
            let (message, length) = (parsed(&mail), sent_length(&mail));
            assert!(length < 95_000, "{}: {length}", variant.game().id);
            let pictures = message.parts.iter().filter_map(|part| match &part.body {
                PartType::InlineBinary(png) | PartType::Binary(png) => Some(png.len()),
                _ => None,
            });
            let picture = pictures.sum::<usize>();
            assert!((1..35_000).contains(&picture), "{picture}");
            println!("{} {plies}: {length} and {picture}", variant.game().id);
            if plies == 0 {
                let links = html(&mail).matches("href=").count();
                assert_eq!(links, taps.targets().count(), "{}", variant.game().id);
            }
        }
    }
}

/// The address of the sender stands in each link.
#[test]
#[ignore = "takes long"]
fn every_drop_of_an_opening_is_a_tap_with_a_long_address_too() {
    let me: Player = "Referee <chess.referee@club.example.org>".parse().unwrap();
    for game in parapost::rules::games::ALL {
        let mut settings = settings(game.id, &[]);
        settings.id = "k7f3qd".parse().unwrap();
        let game = Match::new(settings, time());
        let mut drops = game.position().single_plies();
        drops.retain(|ply| matches!(ply, Ply::Drop { .. }));
        let game = owed(game, NewMail::new("invitation", WHITE));
        let owed = game.owed().last().unwrap();
        let mail = compose::compose(&game, owed, &me, &Templates::new("/nowhere"), &ids());
        let mail = mail.unwrap();
        println!("{}: {}", game.variant().game().id, sent_length(&mail));
        assert_eq!(html(&mail).matches(">+</a>").count(), drops.len());
    }
}

#[test]
fn what_is_about_no_match_or_goes_to_a_program_is_text_alone() {
    let referee: Player = "The Referee <ref@example.org>".parse().unwrap();
    let mut settings = settings("unachess", &[]);
    settings.referee = Some(referee.address().clone());
    let mut game = Match::new(settings, time());
    play(&mut game, "P>e3");
    let game = owed(game, NewMail::new("position", BLACK));
    assert!(is_text_alone(&compose(&game)));
    let question = after("P>e3", NewMail::new("question", BLACK).saying("Which?"));
    assert!(is_text_alone(&compose(&question)));
}

#[test]
fn a_player_can_do_without_html() {
    let mut game = unachess();
    let wish = |game: &mut Match, wish: &str| {
        let event = LogEntry::new(time(), Event::Wish(MailWish::from_word(wish)), BLACK);
        game.push(event).unwrap();
    };
    let is_alone = |game: &Match, to| {
        let game = owed(game.clone(), NewMail::new("position", to));
        is_text_alone(&compose(&game))
    };
    wish(&mut game, "html off");
    assert!(is_alone(&game, BLACK) && !is_alone(&game, WHITE));
    // A mail shows the match at the time it became due.
    let before = owed(game.clone(), NewMail::new("position", BLACK));
    let mut after = before.clone();
    wish(&mut after, "html on");
    assert_eq!(compose(&before).bytes(), compose(&after).bytes());
    assert!(!is_alone(&after, BLACK));
    // A wish that this version does not know changes nothing.
    wish(&mut game, "html in colour");
    assert!(is_alone(&game, BLACK));
}

#[test]
fn templates_of_text_alone_make_a_mail_of_text_alone() {
    let folder = tempfile::tempdir().unwrap();
    let templates = Templates::new(folder.path());
    let game = after("P>e3", NewMail::new("position", BLACK).saying("<b>hi</b>"));
    let compose = || compose_with(&game, &templates);
    assert!(!is_text_alone(&compose()));
    let write =
        |name: &str, source: &str| std::fs::write(folder.path().join(name), source).unwrap();
    write("position.txt", "{{ text }}\n{% include \"foot.txt\" %}\n");
    assert!(is_text_alone(&compose()));
    write(
        "position.html",
        "<p>{{ text }} {{ moves.list[0] }}</p>{% include \"foot.html\" %}",
    );
    let page = html(&compose());
    assert!(
        page.starts_with("<p>&lt;b&gt;hi&lt;&#x2f;b&gt; 1.\u{a0}P&gt;e3</p>"),
        "{page}"
    );
    // The words in it would be tags.
    write("position.html", "{% include \"foot.txt\" %}");
    let owed = &game.owed()[0];
    let error = compose::compose(&game, owed, &anna(), &templates, &ids()).unwrap_err();
    assert!(error.to_string().contains("position.html:1"), "{error}");
}
