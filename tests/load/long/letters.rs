//! The letters: moves, mistakes and words of players who wait for no mail, many of them
//! brought more than once.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use parapost::notation::move_list::clear_text;
use parapost::rules::{Color, Record, Variant, games};

use crate::REFEREE;
use crate::lmtp::{Client, Delivered};

/// Of a hundred letters so many are copies of earlier ones.
const COPIES: u32 = 35;
/// Of a hundred new letters so many are a move with a wrong number, and words.
const WRONG: u32 = 8;
const WORDS: u32 = 7;

/// The time after which a letter is brought again that was not taken.
const RETRY: Duration = Duration::from_millis(300);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Move,
    Wrong,
    Words,
}

/// A letter that was written.
pub(crate) struct Letter {
    pub(crate) kind: Kind,
    pub(crate) message_id: String,
    /// The move, as the record has it.
    pub(crate) said: String,
    /// When it was taken first, and by the worker of which number.
    pub(crate) taken: Option<(SystemTime, usize)>,
    sender: String,
    text: Arc<str>,
}

/// A match, as its moves have been written.
pub(crate) struct Line {
    pub(crate) id: String,
    pub(crate) variant: Variant,
    pub(crate) players: [String; 2],
    pub(crate) letters: Vec<Letter>,
    record: Record,
    /// True while the last letter has not been taken.
    is_under_way: bool,
}

impl Line {
    pub(crate) fn new(number: usize) -> Line {
        let game = games::ALL[number % games::ALL.len()];
        let variant = Variant::find(game.id, &[]).expect("a game");
        Line {
            id: format!("m{number}"),
            record: Record::new(variant.start()),
            variant,
            players: ["a", "b"].map(|side| format!("{side}{number}@load.test")),
            letters: Vec::new(),
            is_under_way: false,
        }
    }

    fn is_free(&self) -> bool {
        !self.is_under_way && self.record.outcome().is_none()
    }

    /// Writes the next letter.
    fn write(&mut self) {
        let plies = self.record.steps().len();
        let position = self.record.position();
        let side = usize::from(position.turn() == Color::Black);
        let legal: Vec<_> = position.legal_plies().take(500).collect();
        let first = fastrand::usize(..legal.len());
        let mut choices = legal[first..].iter().chain(&legal[..first]);
        // A move that stands alone must not mean two: `bxc6` may be the bishop's or the pawn's.
        let clear = choices.find_map(|ply| Some((ply, clear_text(position, ply)?)));
        let (ply, clear) = clear.expect("a move that can be written clearly");
        let said = position.text(ply);
        let dots = [".", "..."][side];
        let number = self.letters.len();
        let drawn = fastrand::u32(..100);
        let (kind, side, words) = if drawn < WRONG {
            let words = format!("{}{dots} {clear}", plies / 2 + 8);
            (Kind::Wrong, side, words)
        } else if drawn < WRONG + WORDS {
            let side = fastrand::usize(..2);
            (Kind::Words, side, format!("Thoughts, the {number}th."))
        } else {
            let words = format!("{}{dots} {clear}", plies / 2 + 1);
            self.record.play(ply).expect("a legal move");
            (Kind::Move, side, words)
        };
        let (id, sender) = (&self.id, &self.players[side]);
        let message_id = format!("<{number}.{id}@players.test>");
        let text = format!(
            "From: {sender}\r\nTo: {REFEREE}\r\nSubject: Re: [{id}] {}\r\n\
             Message-ID: {message_id}\r\n\r\n{words}\r\n",
            self.variant.game().id,
        );
        self.letters.push(Letter {
            kind,
            message_id,
            said,
            taken: None,
            sender: sender.clone(),
            text: text.into(),
        });
        self.is_under_way = true;
    }
}

/// A letter to be brought.
pub(crate) struct Errand {
    line: usize,
    letter: usize,
    is_copy: bool,
}

/// What was counted.
#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) written: AtomicUsize,
    pub(crate) copies: AtomicUsize,
    /// Letters that could not be written since each match had one under way.
    pub(crate) held: AtomicUsize,
    /// Attempts to bring a letter that a worker deferred or that broke off.
    pub(crate) again: AtomicUsize,
}

/// The matches, and what is brought to them.
pub(crate) struct Post {
    lines: Mutex<Vec<Line>>,
    pub(crate) counts: Counts,
    /// The letters that are under way.
    pub(crate) under_way: AtomicUsize,
    /// True if what has not been taken is given up.
    pub(crate) gives_up: AtomicBool,
    /// When a letter was taken last, and the longest time without.
    pace: Mutex<(Instant, Duration)>,
    pub(crate) faults: Mutex<Vec<String>>,
}

impl Post {
    pub(crate) fn new(matches: usize) -> Post {
        Post {
            lines: Mutex::new((0..matches).map(Line::new).collect()),
            counts: Counts::default(),
            under_way: AtomicUsize::new(0),
            gives_up: AtomicBool::new(false),
            pace: Mutex::new((Instant::now(), Duration::ZERO)),
            faults: Mutex::default(),
        }
    }

    pub(crate) fn lines(&self) -> MutexGuard<'_, Vec<Line>> {
        self.lines.lock().expect("no thread panics")
    }

    /// The longest time in which no letter was taken.
    pub(crate) fn longest_pause(&self) -> Duration {
        self.pace.lock().expect("no thread panics").1
    }

    pub(crate) fn fault(&self, fault: String) {
        eprintln!("fault: {fault}");
        self.faults.lock().expect("no thread panics").push(fault);
    }

    /// Writes so many letters a second, until told to end.
    pub(crate) fn write(&self, rate: u32, errands: &Sender<Errand>, is_over: &AtomicBool) {
        let start = Instant::now();
        self.pace.lock().expect("no thread panics").0 = start;
        let mut written = 0_u32;
        while !is_over.load(Ordering::Relaxed) {
            let due = start + Duration::from_secs(1) * written / rate;
            thread::sleep(due.saturating_duration_since(Instant::now()));
            written += 1;
            if let Some(errand) = self.next() {
                self.under_way.fetch_add(1, Ordering::Relaxed);
                errands.send(errand).expect("the carriers live");
            }
        }
    }

    /// Writes a letter or copies one.
    fn next(&self) -> Option<Errand> {
        let mut lines = self.lines();
        let count = lines.len();
        let line = fastrand::usize(..count);
        let letters = lines[line].letters.len();
        if fastrand::u32(..100) < COPIES && letters > 0 {
            self.counts.copies.fetch_add(1, Ordering::Relaxed);
            // The last one may be under way for the first time.
            let letter = if fastrand::bool() {
                letters - 1
            } else {
                fastrand::usize(..letters)
            };
            return Some(Errand {
                line,
                letter,
                is_copy: true,
            });
        }
        let mut candidates = (line..count).chain(0..line);
        let Some(line) = candidates.find(|line| lines[*line].is_free()) else {
            self.counts.held.fetch_add(1, Ordering::Relaxed);
            return None;
        };
        lines[line].write();
        self.counts.written.fetch_add(1, Ordering::Relaxed);
        Some(Errand {
            line,
            letter: lines[line].letters.len() - 1,
            is_copy: false,
        })
    }

    /// Brings letters, each until a worker has taken it.
    pub(crate) fn carry(&self, errands: &Mutex<Receiver<Errand>>, ports: &[u16]) {
        let client = |port: &u16| Client::new(*port, REFEREE);
        let mut clients: Vec<Client> = ports.iter().map(client).collect();
        loop {
            let errand = errands.lock().expect("no thread panics").recv();
            let Ok(errand) = errand else { return };
            self.bring(&errand, &mut clients);
            self.under_way.fetch_sub(1, Ordering::Relaxed);
        }
    }

    fn bring(&self, errand: &Errand, clients: &mut [Client]) {
        let (sender, text) = {
            let lines = self.lines();
            let letter = &lines[errand.line].letters[errand.letter];
            (letter.sender.clone(), Arc::clone(&letter.text))
        };
        while !self.gives_up.load(Ordering::Relaxed) {
            let worker = fastrand::usize(..clients.len());
            match clients[worker].deliver(&sender, &text) {
                Delivered::Taken => {
                    let taken = (SystemTime::now(), worker);
                    let letter = &mut self.lines()[errand.line].letters[errand.letter];
                    letter.taken.get_or_insert(taken);
                    let mut pace = self.pace.lock().expect("no thread panics");
                    pace.1 = pace.1.max(pace.0.elapsed());
                    pace.0 = Instant::now();
                    break;
                }
                Delivered::Refused => {
                    self.fault(format!("a worker refused a letter for good: {text}"));
                    break;
                }
                Delivered::Later => {
                    self.counts.again.fetch_add(1, Ordering::Relaxed);
                    thread::sleep(RETRY);
                }
            }
        }
        if !errand.is_copy {
            self.lines()[errand.line].is_under_way = false;
        }
    }
}
