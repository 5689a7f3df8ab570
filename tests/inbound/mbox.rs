//! The messages of an mbox, whichever of its four habits wrote it.

use std::fmt::Write;

use parapost::mail::sources::mbox::Messages;

const FIRST: &str = "From a@b.test Fri Nov 20 03:00:00 2026\n";
const SECOND: &str = "From a@b.test Fri Nov 20 03:00:01 2026\n";

fn messages(text: &str) -> Vec<String> {
    Messages::new(text.as_bytes())
        .map(|message| String::from_utf8(message.unwrap()).unwrap())
        .collect()
}

/// An entry whose header says that its text has so many bytes.
fn entry(postmark: &str, length: impl std::fmt::Display, text: &str) -> String {
    format!("{postmark}Subject: x\nContent-Length: {length}\n\n{text}")
}

/// The texts of the messages of a file.
fn texts(file: &str) -> Vec<String> {
    let text = |message: String| {
        let (_, text) = message.split_once("\n\n").expect("an empty line");
        text.to_owned()
    };
    messages(file).into_iter().map(text).collect()
}

#[test]
fn a_stream_without_a_from_line_is_one_message() {
    let text = "Subject: x\n\nhi\n\nFrom me Fri Nov 20 03:00:00 2026\n>From you\n";
    assert_eq!(messages(text), [text]);
    assert_eq!(messages(""), [""]);
}

#[test]
fn a_mail_server_hands_over_one_message() {
    let rest = format!("Subject: x\nContent-Length: 1\n\n\n{SECOND}");
    let text = format!("{FIRST}{rest}");
    for text in [&text, &rest] {
        assert_eq!(Messages::single(text.as_bytes()).unwrap(), rest.as_bytes());
    }
}

#[test]
fn standard_input_is_one_message_or_nobody_can_tell() {
    let one = |text: &str| {
        let read = Messages::single_or_several(text.as_bytes()).unwrap();
        read.map(|bytes| String::from_utf8(bytes).unwrap())
    };
    let rest = "Subject: x\n\nhi\n>From me\n\nFrom here on it's easy\n";
    assert_eq!(one(rest).as_deref(), Some(rest));
    assert_eq!(one(&format!("{FIRST}{rest}")).as_deref(), Some(rest));
    assert_eq!(one("").as_deref(), Some(""));
    // Without a postmark before it, the second one is a part of the message.
    let forwarded = format!("{rest}\n{SECOND}Subject: y\n\nn>g5\n");
    assert_eq!(one(&forwarded), Some(forwarded.clone()));
    for end in ["\n", "\r\n"] {
        let several = format!("{FIRST}{forwarded}").replace('\n', end);
        assert_eq!(one(&several), None);
        // In a header, too: the entry was cut short.
        let several = format!("{FIRST}Subject: x\n{SECOND}Subject: y\n\n").replace('\n', end);
        assert_eq!(one(&several), None);
    }
    // A length that a stranger can send changes nothing.
    let length = format!("{FIRST}Content-Length: {}\n{forwarded}", forwarded.len());
    assert_eq!(one(&length), None);
}

#[test]
fn without_lengths_it_is_read_as_mboxrd() {
    let text = format!(
        "{FIRST}Subject: x\n\nhi\nFrom here on it's easy\n>From you\n>>From them\n> From us\n\n\
         From the start\n\n{SECOND}Subject: y\n\n"
    );
    let expected = [
        "Subject: x\n\nhi\nFrom here on it's easy\nFrom you\n>From them\n> From us\n\nFrom the start\n\n",
        "Subject: y\n\n",
    ];
    assert_eq!(messages(&text), expected);
    let crlf = messages(&text.replace('\n', "\r\n")).concat();
    assert_eq!(crlf.replace("\r\n", "\n"), expected.concat());
}

/// Writes a file of these texts by each habit, as its definition says.
fn written(habit: &str, texts: &[&str]) -> String {
    let mut file = String::new();
    for text in texts {
        let hidden: String = text
            .split_inclusive('\n')
            .map(|line| {
                let bare = line.trim_start_matches('>');
                let marks = line.len() - bare.len();
                match habit {
                    "mboxo" | "mboxcl" if line.starts_with("From ") => format!(">{line}"),
                    "mboxrd" if bare.starts_with("From ") => {
                        format!(">{}{bare}", ">".repeat(marks))
                    }
                    _ => line.to_owned(),
                }
            })
            .collect();
        file += FIRST;
        file += "Subject: x\n";
        if habit.starts_with("mboxcl") {
            writeln!(file, "Content-Length: {}", hidden.len()).unwrap();
        }
        write!(file, "\n{hidden}\n").unwrap();
    }
    file
}

#[test]
fn each_of_the_four_habits_reads_back() {
    let plain = [
        "n>g5\n",
        "",
        "\n\n",
        "From here\n\nFrom there\n",
        "end\n> quoted\n",
    ];
    let with_postmark = [
        "hi\n\nFrom a@b.test Fri Nov 20 03:00:00 2026\nSubject: resign\n\nresign\n",
        "From a@b.test Fri Nov 20 03:00:00 2026\n",
        "bye\n",
    ];
    for habit in ["mboxo", "mboxrd", "mboxcl", "mboxcl2"] {
        for all in [&plain[..], &with_postmark] {
            let file = written(habit, all);
            for file in [file.clone(), file.trim_end_matches('\n').to_owned()] {
                let read = texts(&file);
                assert_eq!(read.len(), all.len(), "{habit}\n{file}");
                for (read, text) in read.iter().zip(all) {
                    // The empty line between two entries may stay.
                    assert_eq!(read.trim_end(), text.trim_end(), "{habit}\n{file}");
                }
            }
        }
    }
    // What only some can tell from what they write themselves.
    let deep = ["> said\n>From afar\n>> more\n", "> said\n>>From afar\n"];
    for habit in ["mboxrd", "mboxcl2"] {
        assert_eq!(
            texts(&written(habit, &deep))[0].trim_end(),
            deep[0].trim_end(),
            "{habit}"
        );
    }
    for habit in ["mboxrd", "mboxcl", "mboxcl2"] {
        assert_eq!(
            texts(&written(habit, &deep))[1].trim_end(),
            deep[1].trim_end(),
            "{habit}"
        );
    }
}

#[test]
fn lengths_counted_before_the_line_ends_were_changed_are_understood() {
    let all = [
        "one\n\nFrom a@b.test Fri Nov 20 03:00:00 2026\nbody\n",
        "two\n",
        "\n",
    ];
    for habit in ["mboxcl", "mboxcl2"] {
        let file = written(habit, &all).replace('\n', "\r\n");
        let read: Vec<String> = messages(&file)
            .iter()
            .map(|message| message.replace("\r\n", "\n"))
            .map(|message| message.split_once("\n\n").unwrap().1.to_owned())
            .collect();
        assert_eq!(read, all, "{habit}");
    }
    // A length that holds for the bytes as they stand.
    let text = "one\r\n\r\nFrom a@b.test Fri Nov 20 03:00:00 2026\r\n";
    let file = entry(FIRST, text.len(), "").replace('\n', "\r\n") + text + "\r\n" + SECOND;
    assert_eq!(messages(&file)[0].split_once("\r\n\r\n").unwrap().1, text);
}

#[test]
fn a_length_is_believed_only_where_an_entry_ends_there() {
    let second = format!("\n{SECOND}Subject: y\n\ntwo\n");
    let read =
        |length: &str, text: &str| messages(&format!("{}{second}", entry(FIRST, length, text)));
    for length in [
        "",
        "x",
        "-1",
        "+4",
        "4.0",
        "4 4",
        "0",
        "1",
        "5",
        "6",
        "40",
        "999",
        "4294967297",
        "33554433",
        "18446744073709551615",
        "99999999999999999999999999",
        "0x4",
    ] {
        let read = read(length, "one\n");
        assert_eq!(read.len(), 2, "{length}: {read:?}");
        assert!(
            read[0].ends_with("\n\none\n\n") || read[0].ends_with("\n\none\n"),
            "{length}"
        );
        assert_eq!(read[1], "Subject: y\n\ntwo\n", "{length}");
    }
    // One line of the text is no postmark, though it begins like one.
    let text = "one\n\nFrom here on it's easy\n";
    for length in 0..text.len() + 2 {
        assert_eq!(texts(&entry(FIRST, length, text)), [text], "{length}");
    }
    // Two lengths say nothing, even if they agree: one is of a stranger's.
    let twice = |length: usize| {
        let file = entry(FIRST, 4, "one\n") + &second;
        texts(&file.replacen("\n\n", &format!("\ncontent-length: {length}\n\n"), 1))
    };
    assert_eq!(twice(4), ["one\n\n", "two\n"]);
    assert_eq!(twice(second.len() + 4), ["one\n\n", "two\n"]);
    // However the second one is written.
    let file = entry(FIRST, 4, "one\n") + &second;
    let file = file.replacen("\n\n", "\ncontent-length : 4\n\n", 1);
    assert_eq!(texts(&file), ["one\n\n", "two\n"]);
    // Nor does one that stands in the text.
    let file = format!("{FIRST}Subject: x\n\nContent-Length: 99\n{second}");
    assert_eq!(texts(&file), ["Content-Length: 99\n\n", "two\n"]);
}

#[test]
fn a_length_that_hides_no_entry_is_believed_behind_one_that_has_none() {
    let text = "n>g5\n\nFrom here on it's easy\n>From you\n";
    let second = entry(SECOND, text.len(), text);
    let file = format!("{FIRST}Subject: x\n\none\n\n{second}");
    assert_eq!(texts(&file), ["one\n\n", text]);
}

/// A length that a stranger had written, and that came out before a later
/// entry or at the end, made the entries between a part of the stranger's
/// text: letters were lost.
#[test]
fn a_length_hides_no_entries_behind_one_that_has_none() {
    let letter = |n: usize| format!("{SECOND}Subject: {n}\n\nn>g5\n\n");
    let hidden = letter(1) + &letter(2);
    let text = "buy!\n\n";
    let evil = entry(FIRST, text.len() + hidden.len() - 1, text);
    for behind in [String::new(), letter(3)] {
        let read = |before: &str| messages(&format!("{before}{evil}{hidden}{behind}")).len();
        let others = usize::from(!behind.is_empty());
        assert_eq!(read(&letter(0)), 4 + others);
        // All have one so far: it is mboxcl2, for all that is known.
        assert_eq!(read(&entry(FIRST, 4, "hi!\n\n")), 2 + others);
    }
}

#[test]
fn a_file_that_was_cut_short_gives_what_is_left() {
    let file = written("mboxcl2", &["one\n\nFrom here\n", "two\n\nFrom there\n"]);
    let whole = messages(&file);
    for length in FIRST.len()..file.len() {
        let read = messages(&file[..length]);
        assert!(read.len() <= 2, "{length}: {read:?}");
        for (read, whole) in read.iter().zip(&whole) {
            // What is left of a postmark is none.
            let is_part = whole.starts_with(read.trim_end_matches('\n'));
            let is_more = read.starts_with(whole.trim_end_matches('\n'));
            assert!(is_part || is_more, "{length}: {read:?}");
        }
    }
    // The next entry came behind one that was cut short in its header.
    let file = format!("{FIRST}Subject: x\nContent-Le\n{SECOND}Subject: y\n\ntwo\n");
    assert_eq!(
        messages(&file),
        ["Subject: x\nContent-Le\n", "Subject: y\n\ntwo\n"]
    );
}

#[test]
fn postmarks_as_programs_write_them() {
    for postmark in [
        "From - Fri Nov 20 03:00:00 2026",
        "From a@b.test Fri Nov 20 03:00:00 2026",
        "From a@b.test  Fri Nov  6 03:00 2026",
        "From a at b.test  Fri Nov 20 03:00:00 2026",
        "From \"a b\"@b.test Fri Nov 20 03:00:00 2026",
        "From 1234567890@xxx Fri Nov 20 03:00:00 +0000 2026",
        "From a@b.test Fri Nov 20 03:00:00 2026 +0100",
        "From a@b.test Fri Nov 20 03:00:00 CET 2026",
        "From a Fri Nov 20 03:00:00 2026 remote from host",
        "From ???@??? Fri Nov 20 03:00:00 2026",
        "From a@b.test Fri, 20 Nov 2026 03:00:00 +0000",
        "From a@b.test 2026-11-20T03:00:00Z",
        "From MAILER-DAEMON Fri Nov 20 03:00:00 2026\r",
    ] {
        let file = format!("{FIRST}Subject: x\n\none\n\n{postmark}\nSubject: y\n\ntwo\n");
        assert_eq!(texts(&file), ["one\n\n", "two\n"], "{postmark}");
    }
    for line in [
        "From here on it's easy",
        "From 2026 on, we play at 10:00",
        "From Fri Nov 20 to Sat Nov 21 2026",
        "From Fri Nov 20 10:00 2026 on you may call me",
        "From a@b.test",
        "From ",
        "from a@b.test Fri Nov 20 03:00:00 2026",
        " From a@b.test Fri Nov 20 03:00:00 2026",
    ] {
        let text = format!("one\n\n{line}\nSubject: y\n\ntwo\n");
        assert_eq!(texts(&format!("{FIRST}Subject: x\n\n{text}")), [text]);
    }
    // In the middle of a paragraph none begins an entry.
    let text = format!("one\n{SECOND}two\n");
    assert_eq!(texts(&format!("{FIRST}Subject: x\n\n{text}")), [text]);
}

/// How many bytes a stream was asked for.
struct Counted<'t> {
    rest: &'t [u8],
    read: usize,
}

impl std::io::Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.rest.read(buffer)?;
        self.read += count;
        Ok(count)
    }
}

#[test]
fn every_byte_is_read_once_whatever_the_lengths_say() {
    let mut file = String::new();
    let one = entry(FIRST, "000000", "n>g5\n\n").len();
    for i in 0..2000 {
        // Just beyond what was looked at for the one before, and no end of one.
        let length = 20 + one * (500 + 2 * i);
        file += &entry(FIRST, format_args!("{length:06}"), "n>g5\n\n");
    }
    let mut stream = Counted {
        rest: file.as_bytes(),
        read: 0,
    };
    let read = Messages::new(std::io::BufReader::new(&mut stream)).count();
    assert_eq!(read, 2000);
    assert_eq!(stream.read, file.len());
}
