//! The protocol of LMTP: bytes in, replies and messages out.

use fastrand::Rng;
use lettre::Address;
use parapost::inbound::incoming_message;
use parapost::mail::limits::{
    COMMAND_LINE, COMMANDS, Excess, HELD_BODY, MESSAGE, RECIPIENTS, SESSION_BYTES,
};
use parapost::mail::lmtp::{DeliveryStatus, NextStep, Protocol};

/// All that came out of a session.
#[derive(PartialEq, Eq, Default, Debug)]
struct Heard {
    replies: String,
    messages: Vec<Vec<u8>>,
}

fn is_known(address: &Address) -> bool {
    address.user().starts_with("ref")
}

/// Feeds a session in pieces of these lengths, the last one again and again. A message
/// with `late` in it must come again.
fn talk(input: &[u8], pieces: &mut dyn Iterator<Item = usize>) -> Heard {
    let mut replies = Vec::new();
    let mut heard = Heard::default();
    let mut protocol = Protocol::new("example.org", &mut replies);
    let mut rest = input;
    'session: while !rest.is_empty() {
        let length = pieces.next().unwrap_or(1).clamp(1, rest.len());
        let (mut piece, more) = rest.split_at(length);
        rest = more;
        loop {
            match protocol.feed(&mut piece, &is_known, &mut replies) {
                NextStep::More => break,
                NextStep::Large => protocol.make_room(true),
                NextStep::Message(bytes) => {
                    let is_late = bytes.windows(4).any(|word| word == b"late");
                    let outcome = if is_late {
                        DeliveryStatus::Later
                    } else {
                        DeliveryStatus::Done
                    };
                    heard.messages.push(bytes);
                    protocol.settle(outcome, &mut replies);
                }
                NextStep::End => break 'session,
            }
        }
        assert!(piece.is_empty(), "bytes are left over");
    }
    heard.replies = String::from_utf8(replies).unwrap();
    heard
}

fn at_once(input: &[u8]) -> Heard {
    talk(input, &mut std::iter::repeat(usize::MAX))
}

/// The codes of the replies, without those of the greeting.
fn codes(input: &str) -> Vec<String> {
    let heard = at_once(input.as_bytes());
    let lines = heard.replies.lines().skip(1);
    let last = lines.filter(|line| line.as_bytes()[3] == b' ');
    last.map(|line| line[..3].to_owned()).collect()
}

const SESSION: &str = "LHLO there\r\nMAIL FROM:<a@b.test> SIZE=10 BODY=8BITMIME\r\n\
    RCPT TO:<ref@x.test>\r\nRCPT TO:<eve@x.test>\r\nRCPT TO:<ref+1@x.test>\r\nDATA\r\n\
    Subject: x\r\n\r\n..\r\nbare\n.\r\nlf\n.\n\r.\r\r\n.\r\n\
    NOOP\r\nMAIL FROM:<>\r\nRCPT TO:<ref@x.test>\r\nDATA\r\nlate\r\n.\r\n\
    VRFY x\r\nRSET\r\nDATA\r\nHELO x\r\nQUIT\r\nNOOP\r\n";

#[test]
fn a_session_with_two_messages() {
    let heard = at_once(SESSION.as_bytes());
    let expected = "220 example.org LMTP parapost
250-example.org
250-PIPELINING
250-ENHANCEDSTATUSCODES
250-8BITMIME
250-SMTPUTF8
250 SIZE 33554432
250 2.1.0 ok
250 2.1.5 ok
550 5.1.1 no such recipient here
250 2.1.5 ok
354 end the message with a dot
250 2.0.0 ok
250 2.0.0 ok
250 2.0.0 ok
250 2.1.0 ok
250 2.1.5 ok
354 end the message with a dot
451 4.3.0 not now; try again later
252 2.5.2 send a message and see
250 2.0.0 ok
503 5.5.1 no valid recipients
500 5.5.1 this is LMTP, which begins with LHLO
221 2.0.0 bye
";
    assert_eq!(heard.replies.replace("\r\n", "\n"), expected);
    assert_eq!(
        heard.messages,
        [
            &b"Return-Path: <a@b.test>\r\nReceived: by example.org with LMTP\r\nSubject: x\r\n\r\n\
               .\r\nbare\n.\r\nlf\n.\n\r.\r\r\n"[..],
            b"Return-Path: <>\r\nReceived: by example.org with LMTP\r\nlate\r\n",
        ]
    );
}

/// It continued our `Return-Path` field.
#[test]
fn a_message_that_begins_with_a_blank_does_not_change_its_sender() {
    let heard = at_once(
        b"LHLO x\r\nMAIL FROM:<>\r\nRCPT TO:<ref@x.test>\r\nDATA\r\n <a@b.test>\r\n\
          From: anna@example.org\r\n\r\nx\r\n.\r\n",
    );
    let message = incoming_message::read(&heard.messages[0]).unwrap();
    let why = message.machine.unwrap().to_string();
    assert_eq!(why, "it has an empty return path");
}

#[test]
fn the_replies_are_the_same_however_the_bytes_are_cut() {
    let whole = at_once(SESSION.as_bytes());
    assert_eq!(talk(SESSION.as_bytes(), &mut std::iter::repeat(1)), whole);
    for seed in 0..500 {
        let mut random = Rng::with_seed(seed);
        let mut pieces = std::iter::repeat_with(|| random.usize(1..40));
        let heard = talk(SESSION.as_bytes(), &mut pieces);
        assert_eq!(heard, whole, "seed {seed}");
    }
}

#[test]
fn garbage_is_answered_the_same_however_it_is_cut_and_ends_the_session() {
    let words: [&[u8]; 16] = [
        b"LHLO x\r\n",
        b"MAIL FROM:<a@b>\r\n",
        b"RCPT TO:<ref@x.test>\r\n",
        b"DATA\r\n",
        b".\r\n",
        b"\r\n.\r\n",
        b"\r",
        b"\n",
        b".",
        b"<",
        b"\0\xff",
        b"MAIL FROM:<\"",
        b"RSET\r\n",
        "J\u{f6}rg".as_bytes(),
        b" SIZE=1 ",
        b"QUIT",
    ];
    for seed in 0..2000 {
        let mut random = Rng::with_seed(seed);
        let mut input = Vec::new();
        for _ in 0..random.usize(1..60) {
            input.extend_from_slice(words[random.usize(..words.len())]);
        }
        let whole = at_once(&input);
        let mut pieces = std::iter::repeat_with(|| random.usize(1..9));
        assert_eq!(talk(&input, &mut pieces), whole, "seed {seed}");
    }
    for seed in 0..100 {
        let mut random = Rng::with_seed(seed);
        let input: Vec<u8> = std::iter::repeat_with(|| random.u8(..))
            .take(20_000)
            .collect();
        at_once(&input);
    }
    let replies = at_once("x\r\n".repeat(1000).as_bytes()).replies;
    assert!(
        replies.ends_with("421 4.7.0 too many errors\r\n"),
        "{replies}"
    );
    assert_eq!(replies.lines().count(), 22);
}

#[test]
fn commands_have_their_place() {
    for (input, expected) in [
        ("MAIL FROM:<a@b>\r\n", "503"),
        ("LHLO x\r\nRCPT TO:<ref@x.test>\r\n", "250 503"),
        ("LHLO x\r\nDATA\r\n", "250 503"),
        ("LHLO x\r\nMAIL FROM:<a@b>\r\nDATA\r\n", "250 250 503"),
        (
            "LHLO x\r\nMAIL FROM:<a@b>\r\nMAIL FROM:<a@b>\r\n",
            "250 250 503",
        ),
        (
            "LHLO x\r\nMAIL FROM:<a@b>\r\nRCPT TO:<eve@x.test>\r\nDATA\r\n",
            "250 250 550 503",
        ),
        (
            "LHLO x\r\nMAIL FROM:<a@b>\r\nRCPT TO:<ref@x.test>\r\nRSET\r\nDATA\r\n",
            "250 250 250 250 503",
        ),
        ("LHLO x\r\nMAIL FROM:<a@b> SIZE=33554433\r\n", "250 552"),
        ("LHLO x\r\nMAIL FROM:<a@b> SIZE=33554432\r\n", "250 250"),
        ("NOOP\nQUIT\r\nQUIT\r\n", "500 221"),
        ("noop\r\nquit\r\n", "250 221"),
    ] {
        assert_eq!(codes(input).join(" "), expected, "{input:?}");
    }
}

#[test]
fn long_lines_and_many_recipients_are_refused() {
    for (length, code) in [
        (COMMAND_LINE - 1, "250"),
        (COMMAND_LINE, "500"),
        (100_000, "500"),
    ] {
        let line = format!("NOOP {}", "x".repeat(length - 5));
        let input = format!("{line}\r\nNOOP\r\n");
        assert_eq!(codes(&input), [code, "250"], "{length}");
        let byte_by_byte = talk(input.as_bytes(), &mut std::iter::repeat(1));
        assert_eq!(byte_by_byte, at_once(input.as_bytes()), "{length}");
    }
    let recipients = "RCPT TO:<ref@x.test>\r\n".repeat(RECIPIENTS + 1);
    let input = format!("LHLO x\r\nMAIL FROM:<a@b>\r\n{recipients}DATA\r\nx\r\n.\r\n");
    let codes = codes(&input);
    assert_eq!(codes[2 + RECIPIENTS..4 + RECIPIENTS], ["452", "354"]);
    assert_eq!(codes.len(), 4 + 2 * RECIPIENTS);
    assert!(codes[4 + RECIPIENTS..].iter().all(|code| code == "250"));
}

#[test]
#[ignore = "takes long"]
fn a_message_that_is_too_long_is_refused_once_it_has_ended() {
    let begin =
        "LHLO x\r\nMAIL FROM:<a@b>\r\nRCPT TO:<ref@x.test>\r\nRCPT TO:<ref@x.test>\r\nDATA\r\n";
    let line = format!("{}\r\n", "x".repeat(1022));
    let within = MESSAGE / line.len() - 1;
    for (lines, code, messages) in [(within, "250", 1), (within + 2, "552", 0)] {
        let input = format!("{begin}{}.\r\nNOOP\r\n", line.repeat(lines));
        let heard = talk(input.as_bytes(), &mut std::iter::repeat(16 << 10));
        assert_eq!(heard.messages.len(), messages);
        let replies: Vec<&str> = heard.replies.lines().rev().take(3).collect();
        assert_eq!(replies[0], "250 2.0.0 ok");
        for reply in &replies[1..] {
            assert!(reply.starts_with(code), "{reply}");
        }
    }
}

#[test]
fn a_large_message_waits_for_room_or_is_put_off() {
    let begin = "LHLO x\r\nMAIL FROM:<a@b>\r\nRCPT TO:<ref@x.test>\r\nDATA\r\n";
    let body = "x\r\n".repeat(HELD_BODY);
    let input = format!("{begin}{body}.\r\n");
    for is_there in [true, false] {
        let mut replies = Vec::new();
        let mut protocol = Protocol::new("x.test", &mut replies);
        let mut rest = input.as_bytes();
        let step = protocol.feed(&mut rest, &is_known, &mut replies);
        assert_eq!(step, NextStep::Large);
        let taken = input.len() - rest.len() - begin.len();
        assert!(taken <= HELD_BODY, "{taken}");
        protocol.make_room(is_there);
        let step = protocol.feed(&mut rest, &is_known, &mut replies);
        if is_there {
            let NextStep::Message(bytes) = step else {
                panic!("{step:?}");
            };
            assert!(bytes.ends_with(body.as_bytes()));
            let beyond = DeliveryStatus::Beyond(Excess::Parts);
            protocol.settle(beyond, &mut replies);
        } else {
            assert_eq!(step, NextStep::More);
        }
        let replies = String::from_utf8(replies).unwrap();
        let code = if is_there { "552 5.3.4 " } else { "452 4.3.1 " };
        let last = replies.lines().last().unwrap();
        assert!(last.starts_with(code), "{last}");
        assert!(!protocol.is_in_message());
    }
}

/// A client could hold a connection for ever with commands, with a line or with a message that
/// has no end.
#[test]
#[ignore = "takes long"]
fn a_client_that_brings_no_message_is_left() {
    let mut rng = Rng::with_seed(25);
    let begin = "LHLO x\r\nMAIL FROM:<>\r\nRCPT TO:<ref@x.test>\r\nDATA\r\n";
    for round in 0..12 {
        let mut piece = Vec::new();
        let begins = match round % 3 {
            // Commands.
            0 => {
                for _ in 0..50 {
                    let line = rng.choice(["NOOP", "RSET", "LHLO x", "VRFY x", "MAIL FROM:<>"]);
                    piece.extend(format!("{}\r\nRSET\r\n", line.unwrap()).into_bytes());
                }
                "LHLO x\r\n"
            }
            // A line.
            1 => {
                piece = vec![rng.alphanumeric() as u8; rng.usize(1..100_000)];
                "LHLO x\r\n"
            }
            // A message.
            _ => {
                let line = "x".repeat(rng.usize(1..50_000)) + rng.choice(["\r\n", "\n"]).unwrap();
                piece = line.into_bytes();
                begin
            }
        };
        let mut replies = Vec::new();
        let mut protocol = Protocol::new("example.org", &mut replies);
        let mut said = 0;
        let mut input = begins.as_bytes();
        'session: loop {
            loop {
                match protocol.feed(&mut input, &is_known, &mut replies) {
                    NextStep::More => break,
                    NextStep::Large => protocol.make_room(rng.bool()),
                    NextStep::Message(_) => panic!("none has an end"),
                    NextStep::End => break 'session,
                }
            }
            said += piece.len();
            assert!(said <= SESSION_BYTES + (1 << 20), "{round}");
            input = &piece;
        }
        let replies = String::from_utf8(replies).unwrap();
        assert!(
            replies.ends_with("\r\n421 4.7.0 too much without a message\r\n"),
            "{round}"
        );
        assert!(replies.lines().count() <= COMMANDS * 6 + 10, "{round}");
    }
}

#[test]
fn each_message_gives_a_client_as_much_as_the_first() {
    let letter = "MAIL FROM:<>\r\nRCPT TO:<ref@x.test>\r\nDATA\r\nx\r\n.\r\n";
    let heard = at_once(format!("LHLO x\r\n{}", letter.repeat(COMMANDS)).as_bytes());
    assert_eq!(heard.messages.len(), COMMANDS);
}
