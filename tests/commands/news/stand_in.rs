//! A news server that says what a test wants.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::thread;

/// Returns the article with a number: its header and its text, with LF line ends.
pub(super) type Article = Arc<dyn Fn(u64) -> String + Send + Sync>;

/// Serves a group with these articles, to one client after the other, until the test ends. Returns
/// the port.
pub(super) fn serve(numbers: RangeInclusive<u64>, article: Article) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming() {
            // A client may be gone.
            let _ = talk(&stream.unwrap(), &numbers, &article);
        }
    });
    port
}

fn talk(
    mut stream: &TcpStream,
    numbers: &RangeInclusive<u64>,
    article: &Article,
) -> std::io::Result<()> {
    let lines = BufReader::new(stream).lines();
    stream.write_all(b"200 ready\r\n")?;
    for line in lines {
        let line = line?;
        let mut words = line.split(' ');
        let said = match (words.next().unwrap(), words.next()) {
            ("CAPABILITIES", _) => "101 these\r\nVERSION 2\r\nREADER\r\nOVER\r\n.\r\n".to_owned(),
            ("GROUP", Some(group)) => {
                let (low, high) = (numbers.start(), numbers.end());
                format!("211 {} {low} {high} {group}\r\n", high + 1 - low)
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
                let text = article(number.parse().unwrap());
                format!("220 {number}\r\n{}\r\n.\r\n", text.replace('\n', "\r\n"))
            }
            ("QUIT", _) => return stream.write_all(b"205 bye\r\n"),
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
