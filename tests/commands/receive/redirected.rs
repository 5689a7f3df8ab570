//! Under `dkim`, a signature proves who wrote a letter, but not to whom or when: anybody who has a
//! letter can send it on unchanged (docs/identity.md).

use super::{Sandbox, begin, config, header, log, mails, receive, session};

const POLICY: &str = "[policy]\nidentity = \"dkim\"\ntrusted = \"mx.test\"\n";

/// A referee's match in which Anna is to move and only signed letters count.
fn desk() -> Sandbox {
    let desk = session("ref", "referee").file("config.toml", config("ref", "referee") + POLICY);
    begin(&desk, "m", "K>e1 k>e8");
    desk
}

const OLD: &str = "Date: Sun, 19 Nov 2023 20:00:00 +0000\n";

const NEW: &str = "Date: Fri, 20 Nov 2026 04:30:00 +0000\n";

const TO_BEN: &str = "To: Ben <ben@example.org>\n";

const TO_US: &str = "To: The referee <ref@example.org>\n";

/// What most servers sign.
const FIELDS: &str = "from:to:cc:date:subject:message-id:in-reply-to:references:mime-version";

/// A letter of Anna's with these fields. Our server has found its signature valid; `tags` say what
/// it covers.
fn signed_in(tags: &str, fields: &str, body: &str) -> String {
    let id = fields.bytes().chain(body.bytes()).chain(tags.bytes());
    let id = id.fold(7_u32, |id, byte| id.wrapping_mul(31) ^ u32::from(byte));
    format!(
        "Authentication-Results: mx.test; dkim=pass header.d=example.org; dmarc=pass header.from=example.org\n\
         DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=x; {tags}; bh=x; b=x\n\
         From: Anna <anna@example.org>\nMessage-ID: <{id}@anna.test>\n{fields}\n{body}"
    )
}

/// The tag for what most servers sign, without that field.
fn without(name: &str) -> String {
    let fields: Vec<&str> = FIELDS.split(':').filter(|field| *field != name).collect();
    format!("h={}", fields.join(":"))
}

fn signed(fields: &str, body: &str) -> String {
    signed_in(&format!("h={FIELDS}"), fields, body)
}

/// The mails that a letter caused.
fn caused(desk: &Sandbox, letter: &str, word: &str) -> Vec<String> {
    let options = ["--print"];
    let run = receive(desk, &options, letter, "m", word).run();
    mails(&run.stdout)
}

/// What players have done.
fn deeds(desk: &Sandbox) -> Vec<String> {
    let mut log = log(desk, "m");
    let words = ["move", "resign", "accept", "offer", "note", "decline"];
    log.retain(|line| words.contains(&line.split(' ').nth(1).unwrap()));
    log
}

/// The question in the only mail to Anna.
fn question(mails: &[String]) -> String {
    let [mail] = mails else {
        panic!("{} mails:\n{}", mails.len(), mails.concat())
    };
    assert_eq!(header(mail, "To:"), "Anna <anna@example.org>");
    let flat = mail.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("can send it on"), "{mail}");
    header(mail, "Message-ID:").to_owned()
}

/// Went wrong: Anna's "I resign." to Ben alone, about another game three years ago, resigned for
/// her when Ben redirected it. Other orders did the same.
#[test]
fn what_was_written_to_somebody_else_does_nothing() {
    for body in [
        "resign\n",
        "I resign.\n",
        "accept draw\n",
        "offer draw\n",
        "P>d3\n",
        "note Bye!\n",
    ] {
        for fields in [
            format!("{TO_BEN}{OLD}Subject: Our game\n"),
            format!("{TO_BEN}{NEW}Subject: Re: [m] Unachess: 2. K>e1 k>e8\n"),
            format!("{TO_BEN}Cc: carl@example.test\n{NEW}Subject: [m]\n"),
            format!(
                "Resent-To: ref@example.org\nResent-Date: {}{TO_BEN}{NEW}",
                &NEW[6..]
            ),
            format!("{TO_US}{OLD}Subject: [m]\n"),
            TO_US.to_owned(),
            NEW.to_owned(),
        ] {
            let desk = desk();
            let before = deeds(&desk);
            let letter = signed(&fields, body);
            question(&caused(&desk, &letter, "confirm"));
            assert_eq!(deeds(&desk), before, "{letter}");
            // Once in a position.
            let again = signed(&format!("{fields}X-Number: 2\n"), body);
            let again = caused(&desk, &again, "stranger");
            assert!(again.is_empty(), "{}", again.concat());
        }
    }
}

/// Ben changes something that is not signed, or adds another field before a signed one.
#[test]
fn what_is_not_signed_is_not_relied_on() {
    let subject = "Subject: [m]\n";
    let usual = format!("h={FIELDS}");
    let unknown = "In-Reply-To: <x@y.test>\n";
    let cases = [
        (without("to"), format!("{TO_US}{NEW}{subject}")),
        (without("date"), format!("{TO_US}{NEW}{subject}")),
        (without("subject"), format!("{TO_US}{NEW}{subject}")),
        (
            without("cc"),
            format!("Cc: ref@example.org\n{NEW}{subject}"),
        ),
        (
            without("in-reply-to"),
            format!("{TO_US}{NEW}{subject}{unknown}"),
        ),
        (usual.clone(), format!("{TO_US}{TO_BEN}{NEW}{subject}")),
        (usual.clone(), format!("{TO_BEN}{TO_US}{NEW}{subject}")),
        (usual.clone(), format!("{TO_US}{NEW}{OLD}{subject}")),
        (usual.clone(), format!("{TO_US}{NEW}{subject}{subject}")),
        (format!("{usual}; l=7"), format!("{TO_US}{NEW}{subject}")),
        // Somebody who has a copy can give it another id.
        (
            without("message-id"),
            format!("{TO_US}Cc: ben@example.org\n{NEW}{subject}"),
        ),
        // A signature of another organization is not the one that was found valid.
        (
            format!("{}\nDKIM-Signature: d=lists.test; {usual}", without("to")),
            format!("{TO_US}{NEW}{subject}"),
        ),
        // The other signature may be the valid one.
        (
            format!("{}\nDKIM-Signature: d=example.org; {usual}", without("to")),
            format!("{TO_US}{NEW}{subject}"),
        ),
    ];
    for (tags, fields) in cases {
        let desk = desk();
        let before = deeds(&desk);
        let letter = signed_in(&tags, &fields, "resign\n");
        question(&caused(&desk, &letter, "confirm"));
        assert_eq!(deeds(&desk), before, "{letter}");
    }
}

#[test]
fn what_was_written_to_us_in_this_position_counts() {
    let desk = desk();
    let config = desk.read("config.toml");
    let aliases = "[\"ref@example.org\", \"games@club.test\"]";
    let config = config.replace(
        "address = \"ref@example.org\"",
        &format!("address = {aliases}"),
    );
    let desk = desk.file("config.toml", config);
    let usual = format!("h={FIELDS}");
    for (number, (tags, fields)) in [
        (usual.clone(), format!("{TO_US}{NEW}")),
        (
            usual.clone(),
            format!("Cc: REF+chess@Example.org\n{TO_BEN}{NEW}"),
        ),
        (usual.clone(), format!("To: games@club.test\n{NEW}")),
        // The clock is half a day late.
        (
            usual.clone(),
            format!("{TO_US}Date: Thu, 19 Nov 2026 18:00:00 +0000\n"),
        ),
        (
            format!("{usual}; c=relaxed/relaxed"),
            format!("To: anna@example.org, ref@example.org\n{NEW}"),
        ),
        // Many servers do not sign the id.
        (without("message-id"), format!("{TO_US}{NEW}")),
        (without("cc"), format!("{TO_US}{NEW}")),
        // The fields that Exchange adds are ignored.
        (
            usual.clone(),
            format!("Resent-From: ben@example.org\nResent-To: x@y.test\n{TO_US}{NEW}"),
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let letter = signed_in(
            &tags,
            &format!("{fields}Subject: [m]\n"),
            &format!("note {number}\n"),
        );
        receive(&desk, &["--print"], &letter, "m", "command").run();
    }
    let below = signed(&format!("{TO_US}{NEW}Subject: [m]\n"), "P>d3\n");
    let below = format!("Received: from x by mx.test (LMTP); now\n{below}");
    receive(&desk, &["--print"], &below, "m", "accepted").run();
    // The program does not ask about a known letter that comes again.
    let known = caused(&desk, &below, "duplicate");
    assert!(known.is_empty(), "{}", known.concat());
}

/// An answer counts with any clock and any signed fields.
#[test]
fn an_answer_to_our_mail_counts_at_any_time() {
    let epoch = "Date: Thu, 01 Jan 1970 00:00:00 +0000\n";
    let no_answers = "h=from:subject:date:message-id";
    for (tags, fields, word) in [
        (
            format!("h={FIELDS}"),
            format!("To: x@y.test\n{epoch}"),
            "accepted",
        ),
        (
            no_answers.to_owned(),
            format!("To: x@y.test\n{NEW}"),
            "accepted",
        ),
        // Somebody who knows the id could have added it to an old letter.
        (no_answers.to_owned(), format!("{TO_US}{OLD}"), "confirm"),
        ("h=from".to_owned(), format!("{TO_US}{NEW}"), "confirm"),
        // She answered Ben, and he sent it on.
        (format!("h={FIELDS}"), format!("{TO_BEN}{NEW}"), "confirm"),
        (
            format!("h={FIELDS}"),
            format!("{TO_BEN}Cc: carl@example.test\n{epoch}"),
            "confirm",
        ),
        (
            format!("h={FIELDS}"),
            format!("{TO_BEN}Cc: ref@example.org\n{epoch}"),
            "accepted",
        ),
        // He put us in, above or below what is signed.
        (
            without("cc"),
            format!("{TO_BEN}Cc: ref@example.org\n{NEW}"),
            "confirm",
        ),
        (
            format!("h={FIELDS}"),
            format!("{TO_US}{TO_BEN}{NEW}"),
            "confirm",
        ),
        (
            format!("h={FIELDS}"),
            format!("{TO_BEN}{TO_US}{NEW}"),
            "confirm",
        ),
    ] {
        let desk = desk();
        let position = desk.parapost(["send", "--resend", "m", "--print"]);
        let position = position.any_stdout().any_stderr().run().stdout;
        let id = header(&position, "Message-ID:");
        let letter = signed_in(&tags, &format!("{fields}In-Reply-To: {id}\n"), "P>d3\n");
        receive(&desk, &["--print"], &letter, "m", word).run();
    }
}

/// The program does not ask again after an answer to the question.
#[test]
fn the_answer_to_the_question_counts() {
    for (tags, fields) in [
        (format!("h={FIELDS}"), OLD.to_owned()),
        ("h=from".to_owned(), String::new()),
        ("h=from; l=3".to_owned(), String::new()),
    ] {
        let desk = desk();
        let first = signed_in(&tags, &format!("{fields}Subject: [m]\n"), "resign\n");
        let question = question(&caused(&desk, &first, "confirm"));
        let answer = format!("{fields}In-Reply-To: {question}\n");
        let answer = signed_in(&tags, &answer, "resign\n");
        receive(&desk, &["--print"], &answer, "m", "command").run();
        assert!(
            log(&desk, "m")
                .iter()
                .any(|line| line.contains(" resign White"))
        );
    }
}

/// Went wrong: after one question, any letter that cited a later mail counted, whoever it went to.
#[test]
fn a_question_opens_no_later_position() {
    for body in ["resign\n", "P>d4\n"] {
        for (tags, fields) in [
            (format!("h={FIELDS}"), format!("{TO_BEN}{NEW}")),
            (
                "h=from:date:subject".to_owned(),
                format!("To: x@y.test\n{OLD}"),
            ),
        ] {
            let desk = desk();
            question(&caused(
                &desk,
                &signed(&format!("{TO_BEN}{OLD}"), "resign\n"),
                "confirm",
            ));
            let own = signed(&format!("{TO_US}{NEW}Subject: [m]\n"), "P>d3\n");
            receive(&desk, &["--print"], &own, "m", "accepted").run();
            let ben = |text: &str| text.replace("anna@", "ben@").replace("Anna", "Ben");
            let bens = ben(&signed(&format!("{TO_US}{NEW}Subject: [m]\n"), "n>b6\n"));
            let run = receive(&desk, &["--print"], &bens, "m", "accepted").run();
            let id = header(&run.stdout, "Message-ID:").to_owned();
            let letter = signed_in(&tags, &format!("{fields}In-Reply-To: {id}\n"), body);
            let before = deeds(&desk);
            receive(&desk, &["--print"], &letter, "m", "confirm").run();
            assert_eq!(deeds(&desk), before, "{letter}");
        }
    }
}

/// Went wrong: whoever had asked for no mail got no answer to such a letter.
#[test]
fn whoever_gets_no_mail_is_asked_all_the_same() {
    let desk = desk();
    let off = signed(&format!("{TO_US}{NEW}Subject: [m]\n"), "mail off\n");
    receive(&desk, &["--print"], &off, "m", "command").run();
    let letter = signed_in(
        &without("to"),
        &format!("{TO_US}{NEW}Subject: [m]\n"),
        "P>d3\n",
    );
    question(&caused(&desk, &letter, "confirm"));
}

/// Letters that Ben redirects do not count against Anna's bounds.
#[test]
fn the_question_counts_against_no_bound() {
    let desk = desk();
    let config = desk.read("config.toml") + "answers = 1\n";
    let desk = desk.file("config.toml", config);
    question(&caused(
        &desk,
        &signed(&format!("{TO_BEN}{OLD}"), "resign\n"),
        "confirm",
    ));
    let letter = signed(&format!("{TO_US}{NEW}Subject: [m]\n"), "help\n");
    let answered = caused(&desk, &letter, "command");
    assert_eq!(answered.len(), 1, "{}", answered.concat());
    // A used bound does not stop the question.
    let ben = |text: &str| text.replace("anna@", "ben@").replace("Anna", "Ben");
    let letter = ben(&signed(&format!("{TO_US}{NEW}Subject: [m]\n"), "help\n"));
    receive(&desk, &["--print"], &letter, "m", "command").run();
    let asked = caused(&desk, &ben(&signed(OLD, "resign\n")), "confirm");
    assert_eq!(asked.len(), 1, "{}", asked.concat());
}

/// A domain that signs nothing passes DMARC by SPF. A letter that somebody sends on does not.
#[test]
fn dmarc_by_spf_alone_counts_as_before() {
    let desk = desk();
    let letter = signed("Subject: [m]\n", "P>d3\n");
    let mut lines: Vec<&str> = letter.lines().collect();
    lines.remove(1);
    let results = "Authentication-Results: mx.test; spf=pass smtp.mailfrom=anna@example.org; dkim=none; dmarc=pass header.from=example.org";
    lines[0] = results;
    receive(
        &desk,
        &["--print"],
        &(lines.join("\n") + "\n"),
        "m",
        "accepted",
    )
    .run();
}

/// Went wrong: a letter that names no match was a stranger's without a question if its player has
/// several matches.
#[test]
fn a_letter_that_names_no_match_is_asked_about() {
    let desk = desk();
    begin(&desk, "n", "K>e1 k>e8");
    let letter = signed(&format!("{TO_BEN}{NEW}"), "P>d3\n");
    let run = receive(&desk, &["--print"], &letter, "m", "confirm").run();
    let question = question(&mails(&run.stdout));
    let answer = signed_in("h=from", &format!("In-Reply-To: {question}\n"), "P>d3\n");
    receive(&desk, &["--print"], &answer, "m", "accepted").run();
}

/// `doctor` names an address at which we get mail, and the user can add it.
#[test]
fn doctor_proposes_an_alias() {
    let desk = desk();
    let letter = signed(
        &format!("To: games@club.test\n{NEW}Subject: [m]\n"),
        "P>d3\n",
    );
    receive(&desk, &["--print"], &letter, "m", "confirm").run();
    let redirected = signed(&format!("{TO_BEN}{NEW}Subject: [m]\n"), "resign\n");
    receive(&desk, &["--print"], &redirected, "m", "stranger").run();
    let checked = desk.parapost(["doctor"]).any_stdout().any_stderr();
    let checked = checked.run().stdout.replace('\n', " ");
    assert!(
        checked.contains("1 letter to games@club.test did not count"),
        "{checked}"
    );
    assert!(!checked.contains("ben@example.org"), "{checked}");
}
