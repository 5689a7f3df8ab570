//! News, against a real server.

mod attack;
mod comments;
mod crosspost;
mod ended;
mod fetch;
mod init;
pub(super) mod killed;
mod memory;
mod pace;
mod play;
mod post;
mod readers;
mod readme;
mod stand_in;
mod stop;
mod take_back;
mod watch;

use parapost::mail::message_id::MessageId;
use parapost::mail::nntp::connection::Posting;
use parapost::mail::nntp::group::{FetchedArticle, GroupReading, Overview};
use parapost::mail::nntp::{self, NntpTransport};
use parapost::mail::secret::{Credential, Login, Secret, SecretText};
use parapost::mail::settings::{ConnectionSettings, Tls};
use parapost::mail::transport::{OutgoingMessage, SendError, Transport as _};

use std::time::Duration;

use lettre::address::Envelope;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, Message};

use crate::servers::cutting_proxy::{CuttingProxy, Way};
use crate::servers::inn::{CLOSED, GROUP, Inn, MODERATED};
use crate::support::exim::password;

/// The connections that are cut.
const RUNS: usize = 40;

const LIMIT: Duration = Duration::from_mins(1);

/// The connection to a server, with the login of White.
fn settings(inn: &Inn, tls: Tls) -> ConnectionSettings {
    let password = SecretText::new(&password("white"), "password").unwrap();
    ConnectionSettings {
        host: "localhost".to_owned(),
        port: if tls == Tls::Tls {
            inn.tls_port
        } else {
            inn.port
        },
        tls,
        ca_file: Some(inn.ca_file()),
        login: Some(Login {
            user: "white".to_owned(),
            credential: Credential::Password(Secret::Known(password)),
        }),
    }
}

/// An article with the name as its id.
fn article(group: &str, name: &str) -> OutgoingMessage {
    let id: MessageId = format!("<{name}@example.org>").parse().unwrap();
    let from: lettre::Address = "anna@example.invalid".parse().unwrap();
    let header =
        |name, value: String| HeaderValue::new(HeaderName::new_from_ascii_str(name), value);
    let message = Message::builder()
        .envelope(Envelope::new(None, vec![from.clone()]).unwrap())
        .from(Mailbox::new(None, from))
        .subject("A match")
        .raw_header(header("Newsgroups", group.to_owned()))
        .raw_header(header("Message-ID", id.to_string()))
        .body(".\r\n..\r\n1. P>e3\r\n".to_owned())
        .unwrap();
    OutgoingMessage::new(message, id, "2026-11-20T03:00:00Z".parse().unwrap())
}

/// Reads a group from the beginning.
fn read(settings: &ConnectionSettings, group: &str) -> Vec<(Overview, FetchedArticle)> {
    let mut connection = nntp::connect(settings).unwrap();
    let mut overviews = Vec::new();
    let mut articles = Vec::new();
    let keep = |overview: &Overview| {
        overviews.push(overview.clone());
        true
    };
    let group = group.parse().unwrap();
    let mut reading = GroupReading::default();
    connection
        .read_group(&group, &mut reading, keep, |_, article| {
            articles.push(article);
        })
        .unwrap();
    assert_eq!(reading.place, overviews.last().map(|last| last.number));
    overviews.into_iter().zip(articles).collect()
}

#[test]
#[ignore = "needs INN, openssl"]
fn an_article_is_posted_once_and_read_back() {
    let inn = Inn::start(true);
    for (number, tls) in [Tls::Tls, Tls::Starttls].into_iter().enumerate() {
        let settings = settings(&inn, tls);
        let mut connection = nntp::connect(&settings).unwrap();
        assert!(connection.is_encrypted() && connection.can("POST", None));
        for (group, expected) in [
            (GROUP, Posting::Open),
            (MODERATED, Posting::Moderated),
            (CLOSED, Posting::Closed),
        ] {
            let posting = connection.posting(&group.parse().unwrap(), LIMIT).unwrap();
            assert_eq!(posting, Some(expected), "{group}");
        }
        let name = format!("one-{number}");
        let mut transport = NntpTransport::new(settings.clone());
        transport.send(&article(GROUP, &name)).unwrap();
        // Again over the same connection and over another.
        transport.send(&article(GROUP, &name)).unwrap();
        NntpTransport::new(settings.clone())
            .send(&article(GROUP, &name))
            .unwrap();
        let id = format!("<{name}@example.org>").parse().unwrap();
        assert!(connection.has_article(&id).unwrap());
        assert!(
            !connection
                .has_article(&"<none@example.org>".parse().unwrap())
                .unwrap()
        );
        let found = read(&settings, GROUP);
        assert_eq!(found.len(), number + 1);
        let (overview, FetchedArticle::Article(bytes)) = &found[number] else {
            panic!("{found:?}");
        };
        assert_eq!(overview.id, Some(id));
        assert_eq!(
            (overview.from.as_str(), overview.subject.as_str()),
            ("anna@example.invalid", "A match")
        );
        let text = String::from_utf8_lossy(bytes);
        assert!(text.ends_with("\r\n\r\n.\r\n..\r\n1. P>e3\r\n"), "{text}");
    }
    assert_eq!(inn.articles(GROUP).len(), 2);
}

#[test]
#[ignore = "needs INN, openssl"]
fn a_server_refuses_in_words() {
    let inn = Inn::start(true);
    let known = settings(&inn, Tls::Tls);
    let stranger = ConnectionSettings {
        login: None,
        ..known.clone()
    };
    let said = NntpTransport::new(stranger.clone())
        .send(&article(GROUP, "a"))
        .unwrap_err();
    assert!(matches!(said, SendError::SetUp(_)), "{said:?}");
    assert!(
        said.to_string().contains("wants a login first (480"),
        "{said}"
    );
    let mut connection = nntp::connect(&stranger).unwrap();
    let said = connection
        .group(&GROUP.parse().unwrap())
        .unwrap_err()
        .to_string();
    assert!(said.contains("480"), "{said}");

    let said = NntpTransport::new(known.clone())
        .send(&article(CLOSED, "b"))
        .unwrap_err();
    let SendError::Refused(rejection) = &said else {
        panic!("{said:?}");
    };
    assert!(rejection.words.starts_with("441 "), "{rejection:?}");
    let said = NntpTransport::new(known.clone())
        .send(&article("no.such.group", "c"))
        .unwrap_err();
    assert!(matches!(said, SendError::Refused(_)), "{said:?}");

    let wrong = SecretText::new("not the password", "password").unwrap();
    let mut login = known.login.clone().unwrap();
    login.credential = Credential::Password(Secret::Known(wrong));
    let wrong = ConnectionSettings {
        login: Some(login),
        ..known.clone()
    };
    let said = nntp::connect(&wrong).err().unwrap();
    assert!(
        said.to_string().contains("has not taken the login") && !said.is_transient(),
        "{said}"
    );
    // Nobody vouches for it.
    for tls in [Tls::Tls, Tls::Starttls] {
        let unknown = ConnectionSettings {
            ca_file: None,
            ..settings(&inn, tls)
        };
        let said = nntp::connect(&unknown).err().unwrap();
        assert!(
            said.to_string().contains("certificate") && !said.is_transient(),
            "{said}"
        );
    }
    assert!(inn.articles(GROUP).is_empty());
}

/// Without a login, TLS is a matter of taste.
#[test]
#[ignore = "needs INN, openssl"]
fn a_server_for_everybody_wants_no_login() {
    let inn = Inn::start(false);
    for (number, tls) in [Tls::None, Tls::Starttls, Tls::Tls].into_iter().enumerate() {
        let settings = ConnectionSettings {
            login: None,
            ..settings(&inn, tls)
        };
        let name = format!("one-{number}");
        NntpTransport::new(settings.clone())
            .send(&article(GROUP, &name))
            .unwrap();
        assert_eq!(read(&settings, GROUP).len(), number + 1);
    }
    let said = nntp::connect(&settings(&inn, Tls::None)).err().unwrap();
    assert!(
        said.to_string().contains("no password is sent without TLS"),
        "{said}"
    );
}

/// The server passes an article on and keeps nothing by which it would know it again.
#[test]
#[ignore = "needs INN, openssl"]
fn an_article_for_a_moderator_is_posted_when_it_is_passed_on() {
    let inn = Inn::start(true);
    let settings = settings(&inn, Tls::Tls);
    NntpTransport::new(settings)
        .send(&article(MODERATED, "one"))
        .unwrap();
    assert!(inn.articles(MODERATED).is_empty());
    assert!(
        inn.moderated().contains("Message-ID: <one@example.org>"),
        "{}",
        inn.moderated()
    );
}

/// Wherever a connection is cut, the article is posted once.
#[test]
#[ignore = "needs INN, openssl"]
fn an_article_is_posted_once_by_way_of_connections_that_are_cut() {
    let inn = Inn::start(true);
    let proxy = CuttingProxy::start(inn.tls_port);
    let settings = ConnectionSettings {
        port: proxy.port,
        ..settings(&inn, Tls::Tls)
    };
    NntpTransport::new(settings.clone())
        .send(&article(GROUP, "whole"))
        .unwrap();
    let passed = Way::ALL.map(|way| proxy.passed(way));
    let mut rng = fastrand::Rng::with_seed(30);
    let mut unclear = 0;
    for run in 0..RUNS {
        let way = Way::ALL[run % 2];
        // Most of what passes at first is the handshake.
        let most = passed[run % 2];
        proxy.cut_next(way, rng.usize(most / 2..most));
        let message = article(GROUP, &format!("run-{run}"));
        let first = NntpTransport::new(settings.clone()).send(&message);
        unclear += usize::from(matches!(first, Err(SendError::Unknown(_))));
        NntpTransport::new(settings.clone()).send(&message).unwrap();
    }
    assert_eq!(inn.articles(GROUP).len(), RUNS + 1);
    assert!(unclear > 0, "no cut was where it matters");
}

/// What `check` says of the list in an article, by the rows of that.
fn found(body: &str) -> String {
    let is_move = |word: &&str| word.contains(['>', '-', 'x']);
    let rows = body.lines().filter(|line| {
        let number = line.split_once('.').map_or("", |(number, _)| number);
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    });
    let plies = rows.flat_map(str::split_whitespace).filter(is_move).count();
    let (noun, side) = match plies % 2 {
        0 => ("half-moves", "White"),
        _ if plies == 1 => ("half-move", "Black"),
        _ => ("half-moves", "Black"),
    };
    format!("-: Unachess, {plies} {noun}, {side} to move\n")
}
