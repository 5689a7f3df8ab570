//! A news server that says what a test wants.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// Returns the article with a number: its header and its text, with LF line ends.
pub(super) type Article = Arc<dyn Fn(u64) -> String + Send + Sync>;

/// A group, whatever its name, that a test can change while it is served.
pub(super) struct Group {
    pub(super) low: u64,
    pub(super) high: AtomicU64,
    /// The clients that are still to be turned away.
    pub(super) turned_away: AtomicU64,
    /// The number of the article that is never sent.
    pub(super) silent_at: AtomicU64,
    article: Article,
}

impl Group {
    pub(super) fn new(numbers: RangeInclusive<u64>, article: Article) -> Group {
        Group {
            low: *numbers.start(),
            high: AtomicU64::new(*numbers.end()),
            turned_away: AtomicU64::new(0),
            silent_at: AtomicU64::new(0),
            article,
        }
    }
}

/// Serves a group with these articles, to one client after the other, until the test ends. Returns
/// the port.
pub(super) fn serve(numbers: RangeInclusive<u64>, article: Article) -> u16 {
    serve_group(&Arc::new(Group::new(numbers, article)))
}

/// The same, of a group that changes.
pub(super) fn serve_group(group: &Arc<Group>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let group = Arc::clone(group);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let one_less = |left: u64| left.checked_sub(1);
            let left = &group.turned_away;
            let turns_away = left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_less);
            if turns_away.is_err() {
                // A client may be gone.
                let _ = talk(&stream.unwrap(), &group);
            }
        }
    });
    port
}

fn talk(mut stream: &TcpStream, group: &Group) -> std::io::Result<()> {
    let article = &group.article;
    let lines = BufReader::new(stream).lines();
    stream.write_all(b"200 ready\r\n")?;
    for line in lines {
        let line = line?;
        let mut words = line.split(' ');
        let said = match (words.next().unwrap(), words.next()) {
            ("CAPABILITIES", _) => "101 these\r\nVERSION 2\r\nREADER\r\nOVER\r\n.\r\n".to_owned(),
            ("GROUP", Some(name)) => {
                let (low, high) = (group.low, group.high.load(Ordering::SeqCst));
                format!("211 {} {low} {high} {name}\r\n", high + 1 - low)
            }
            ("OVER", Some(range)) => {
                let (first, last) = range.split_once('-').unwrap();
                let [first, last] = [first, last].map(|number| number.parse::<u64>().unwrap());
                let mut lines = "224 these\r\n".to_owned();
                for number in first..=last {
                    lines.push_str(&overview(number, &article(number)));
                }
                lines + ".\r\n"
            }
            ("ARTICLE", Some(number)) => {
                let number = number.parse().unwrap();
                while group.silent_at.load(Ordering::SeqCst) == number {
                    thread::sleep(Duration::from_millis(20));
                }
                let text = article(number);
                format!("220 {number}\r\n{}\r\n.\r\n", text.replace('\n', "\r\n"))
            }
            ("QUIT", _) => {
                // Whoever measures the client has time to do so.
                thread::sleep(Duration::from_millis(100));
                return stream.write_all(b"205 bye\r\n");
            }
            _ => "500 what\r\n".to_owned(),
        };
        stream.write_all(said.as_bytes())?;
    }
    Ok(())
}

fn overview(number: u64, article: &str) -> String {
    let field = |name: &str| {
        let mut lines = article.lines();
        let value = lines.find_map(|line| line.strip_prefix(name));
        value.unwrap_or_default().to_owned()
    };
    let fields = [
        "Subject: ",
        "From: ",
        "Date: ",
        "Message-ID: ",
        "References: ",
    ]
    .map(field);
    format!("{number}\t{}\t100\t3\r\n", fields.join("\t"))
}
