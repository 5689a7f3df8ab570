//! What the worst letters cost: `cargo bench -p parapost --bench letters`. Every shape of `tests/hostile/shapes.rs`, of 1 MiB
//! and as long as it may be and still be read, is heard by every stage of `receive` and, in turns, taken apart by
//! mail-parser alone, which every reader of mail has to do. Prints a table in Markdown, the dearest first.

use std::collections::BTreeSet;
use std::hint::black_box;

use allocation_counter::measure;
use mail_parser::MessageParser;
use parapost::matches::r#match::Match;
use rustix::time::ClockId;

#[path = "../hostile/hearing.rs"]
mod hearing;
mod median;
mod processor_time;
#[path = "../hostile/shapes.rs"]
mod shapes;

use crate::median::median;
use crate::processor_time::milliseconds;

/// How often each is measured.
const TURNS: usize = 7;

/// How long messages are, in bytes: the goal's length.
const LENGTH: usize = 1 << 20;

/// How many rows of the table are printed if no number is given.
const ROWS: usize = 12;

struct Cost {
    name: String,
    word: String,
    /// Milliseconds, the median.
    time: f64,
    /// Of the parser alone; none where it is not asked to try.
    peer: Option<f64>,
    /// Bytes held at most beside the message.
    memory: u64,
}

fn main() {
    let mut arguments = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench");
    let rows = arguments
        .next()
        .and_then(|number| number.parse().ok())
        .unwrap_or(ROWS);
    let game = hearing::game();
    hearing::hear(&game, b"From: ben@example.test\n\nn>g5\n");
    let mut costs = Vec::new();
    for (name, shape) in shapes::SHAPES {
        for length in BTreeSet::from([LENGTH, longest(&game, *shape)]) {
            let message = shape(length);
            let mut word = String::new();
            let counted = measure(|| word = hearing::hear(&game, &message));
            // What goes beyond a limit may be too much for the parser's stack.
            let is_parsed = !word.starts_with("refused: ");
            let (mut ours, mut peers) = (Vec::new(), Vec::new());
            for _ in 0..TURNS {
                ours.push(milliseconds(ClockId::ThreadCPUTime, || {
                    black_box(hearing::hear(&game, &message));
                }));
                if is_parsed {
                    peers.push(milliseconds(ClockId::ThreadCPUTime, || {
                        black_box(MessageParser::default().parse(&message));
                    }));
                }
            }
            costs.push(Cost {
                name: format!("{name}, {} KiB", length.div_ceil(1 << 10)),
                word,
                time: median(ours),
                peer: is_parsed.then(|| median(peers)),
                memory: counted.bytes_max,
            });
        }
    }
    println!("| message | what becomes of it | ms | mail-parser alone, ms | ratio | MiB |");
    println!("|---|---|---|---|---|---|");
    costs.sort_by(|one, other| other.time.total_cmp(&one.time));
    for cost in costs.iter().take(rows) {
        print(cost);
    }
    let largest = costs.iter().max_by_key(|cost| cost.memory);
    println!("\nMost memory:\n");
    largest.into_iter().for_each(print);
}

/// The longest message of a shape, in bytes and to a KiB, that goes beyond no limit, if one of so many does.
fn longest(game: &Match, shape: shapes::Shape) -> usize {
    let is_read = |kib: usize| {
        let word = hearing::hear(game, &shape(kib << 10));
        !word.starts_with("refused: ") && !word.starts_with("unread: ")
    };
    let (mut read, mut too_long) = (1, LENGTH >> 10);
    if is_read(too_long) {
        return LENGTH;
    }
    while too_long - read > 1 {
        let middle = usize::midpoint(read, too_long);
        *if is_read(middle) {
            &mut read
        } else {
            &mut too_long
        } = middle;
    }
    read << 10
}

fn print(cost: &Cost) {
    let (peer, ratio) = cost.peer.map_or(("-".to_owned(), "-".to_owned()), |peer| {
        (format!("{peer:.2}"), format!("{:.1}", cost.time / peer))
    });
    #[allow(clippy::cast_precision_loss, reason = "far below what a float holds")]
    let memory = cost.memory as f64 / f64::from(1 << 20);
    println!(
        "| {} | {} | {:.1} | {peer} | {ratio} | {memory:.1} |",
        cost.name, cost.word, cost.time
    );
}
