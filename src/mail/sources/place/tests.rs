//! Tests of places and their texts.

use crate::sources::place::*;

fn head(uid: u32, arrived: i64, fields: &str) -> Head {
    Head {
        uid,
        arrived: Some(arrived),
        fields: fields.as_bytes().to_vec(),
    }
}

fn trace(arrived: i64, id: &str) -> Trace {
    Trace::of(&head(1, arrived, &format!("Message-ID: {id}\r\n\r\n")))
}

#[test]
fn a_place_is_read_as_it_was_written_and_a_damaged_one_is_refused() {
    let title = Title::new("mail.test:993", "anna\nHandled: 9", "inbox");
    let plain = Place {
        uid_validity: 7,
        handled: u32::MAX,
        since: "2026-11-20".parse().unwrap(),
        ..Place::default()
    };
    let full = Place {
        mailbox_id: Some("F22-a".to_owned()),
        again: BTreeSet::from([3, 1]),
        broken: vec![(3, 1), (1, 7)],
        passed: Some(5),
        old: Some(OldMail {
            until: 9,
            since: "2026-11-18".parse().unwrap(),
            unnamed: 2,
            answers: 20,
        }),
        traces: BTreeMap::from([(4, trace(-5, "<a@b>")), (7, trace(5, ""))]),
        complete: read_time("2026-11-20T03:00:00Z"),
        ..plain.clone()
    };
    for place in [plain, full] {
        let text = place.text(&title);
        let read = PlaceText::parse(&text).unwrap();
        assert_eq!((&read.place, read.is_earlier), (&place, false), "{text}");
        assert_eq!(read.title, title);
        assert_eq!(read.title.folder, "INBOX");
        for (at, _) in text.char_indices() {
            assert_eq!(PlaceText::parse(&text[..at]), None, "{at}");
        }
    }
}

#[test]
fn a_place_of_an_earlier_version_is_read() {
    let text = "Format: parapost-imap 1\nServer: localhost:993\nUser: anna\nFolder: Inbox\nUIDVALIDITY: 7\nHandled: 12\nAgain: 3 4\nBroken: 3=2\nPassed: 8\nSince: 2026-11-20\n";
    let read = PlaceText::parse(text).unwrap();
    assert!(read.is_earlier);
    assert_eq!(read.title, Title::new("localhost:993", "anna", "INBOX"));
    let Place {
        handled,
        again,
        passed,
        traces,
        ..
    } = read.place;
    assert_eq!((handled, passed), (12, Some(8)));
    assert_eq!(again, BTreeSet::from([3, 4]));
    assert!(traces.is_empty());
}

#[test]
fn a_message_is_known_again_by_its_id_and_its_arrival() {
    let id = |fields: &str| Trace::of(&head(1, 5, fields));
    let known = id("Message-ID: <a@b>\r\nFrom: x\r\n\r\n");
    assert!(known.is(&id("From: x\r\nmessage-id:\r\n <a@b>\r\n\r\n")));
    assert!(!known.is(&id("Message-ID: <a@c>\r\n\r\n")));
    assert!(!known.is(&id("Message-ID: <a@b>\r\nMessage-ID: <a@b>\r\n\r\n")));
    assert!(!known.is(&id("Subject: Message-ID: <a@b>\r\n\r\n")));
    assert!(!known.is(&trace(6, "<a@b>")));
    let of_no_time = Trace {
        arrived: None,
        ..known.clone()
    };
    assert!(known.is(&of_no_time));
}

#[test]
fn a_place_is_of_a_folder_if_what_is_still_there_is_the_same() {
    let mut place = Place::default();
    for uid in 1..=20 {
        place.leave_trace(uid, trace(uid.into(), &format!("<{uid}@b>")));
    }
    assert_eq!(
        place.traces.keys().copied().collect::<Vec<_>>(),
        [13, 14, 15, 16, 17, 18, 19, 20]
    );
    let there = place.traces.clone();
    assert_eq!(place.is_of(&there), Some(true));
    assert_eq!(place.is_of(&BTreeMap::new()), None);
    let mut less = there.clone();
    less.retain(|uid, _| *uid == 14);
    assert_eq!(place.is_of(&less), Some(true));
    // Somebody sends a message under the same id once more.
    less.insert(15, trace(99, "<15@b>"));
    assert_eq!(place.is_of(&less), Some(false));
}
