//! The Universal Chess Interface, by which programs with a board talk to engines.
//!
//! [`serve`] reads commands and writes answers, as `docs/engine.md` of the repository has
//! them. What it does not know it passes over, as the interface asks for, and whatever is
//! written it goes on.

use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use parapost_rules::{Color, Placement, Ply, Position, Record, Role, Square, Variant, games};

use crate::engine::{Engine, Score, Thought};
use crate::level::Level;
use crate::search::Limits;
use crate::values::Values;

/// The largest table that one may ask for, in mebibytes.
const MOST_MEMORY: usize = 4_096;
/// What is kept of the clock, for the way of the answer.
const RESERVED: Duration = Duration::from_millis(30);
/// How often a search that is over looks whether it may say so.
const PAUSE: Duration = Duration::from_millis(10);
/// The longest line that is read; no game is longer.
const LONGEST_LINE: u64 = 1 << 20;

/// Speaks the Universal Chess Interface until `quit` or the end of the input.
///
/// # Errors
///
/// If the input cannot be read or the output not be written.
///
/// # Examples
///
/// ```
/// use parapost_engine::uci;
///
/// let commands = "setoption name UCI_Variant value unachess\n\
///                 position startpos moves K@e1 k@e8\n\
///                 go nodes 2000\n";
/// let mut answers = Vec::new();
/// uci::serve(commands.as_bytes(), &mut answers)?;
/// let answers = String::from_utf8(answers).expect("plain text");
/// assert!(answers.lines().last().is_some_and(|line| line.starts_with("bestmove ")));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn serve(mut input: impl BufRead, output: impl Write + Send) -> io::Result<()> {
    let output = Output(Mutex::new((output, Ok(()))));
    let stop = Arc::new(AtomicBool::new(false));
    let (send, jobs) = mpsc::channel();
    let is_thinking = AtomicBool::new(false);
    let (output_ref, flag) = (&output, &is_thinking);
    let read = thread::scope(|scope| {
        let worker = scope.spawn(move || work(&jobs, output_ref, flag));
        let mut session = Session {
            output: &output,
            jobs: send,
            stop: stop.clone(),
            is_thinking: &is_thinking,
            options: Options::default(),
            record: None,
            hears_end: false,
        };
        session.new_game();
        let read = session.listen(&mut input);
        // Nobody can say `stop` any more: what is thought about is thought to its end, if it
        // has one.
        if session.hears_end {
            stop.store(true, Ordering::Relaxed);
        }
        drop(session);
        if worker.join().is_err() {
            return Err(io::Error::other("the engine has failed"));
        }
        read
    });
    read?;
    let (_, written) = output
        .0
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    written
}

/// The answers, from two threads, a line at a time. The first error is kept.
struct Output<W>(Mutex<(W, io::Result<()>)>);

impl<W: Write> Output<W> {
    fn say(&self, line: &str) {
        let mut guard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (output, result) = &mut *guard;
        if result.is_ok() {
            *result = writeln!(output, "{line}").and_then(|()| output.flush());
        }
    }

    fn has_failed(&self) -> bool {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .1
            .is_err()
    }
}

/// Something to think about.
struct Job {
    record: Record,
    limits: Limits,
    memory: usize,
    /// It tells its ply only when it is stopped.
    is_endless: bool,
}

/// Thinks about one job after the other.
fn work<W: Write>(jobs: &Receiver<Job>, output: &Output<W>, is_thinking: &AtomicBool) {
    let mut engine: Option<(Engine, usize)> = None;
    for job in jobs {
        let variant = job.record.position().variant();
        let is_same =
            |known: &(Engine, usize)| known.0.variant() == variant && known.1 == job.memory;
        if !engine.as_ref().is_some_and(is_same) {
            let mut fresh = Engine::new(variant);
            fresh.set_memory(job.memory);
            engine = Some((fresh, job.memory));
        }
        let Some((engine, _)) = &mut engine else {
            continue;
        };
        let begun = Instant::now();
        let root = job.record.position();
        let thought = engine.think_aloud(&job.record, &job.limits, |thought| {
            output.say(&info(root, thought, begun.elapsed()));
        });
        let stop = job.limits.stop.as_ref();
        while job.is_endless && stop.is_some_and(|stop| !stop.load(Ordering::Relaxed)) {
            thread::sleep(PAUSE);
        }
        let best = thought
            .ply
            .map_or("(none)".to_owned(), |ply| move_text(root, &ply));
        is_thinking.store(false, Ordering::Release);
        output.say(&format!("bestmove {best}"));
    }
}

/// The line that tells what the engine thinks.
fn info(root: &Position, thought: &Thought, time: Duration) -> String {
    let score = match thought.score {
        Score::Pawns(value) => format!("cp {value}"),
        Score::Mate(plies) if plies > 0 => format!("mate {}", (plies + 1) / 2),
        Score::Mate(plies) => format!("mate {}", plies / 2),
    };
    let nodes = u128::from(thought.nodes);
    let rate = nodes * 1_000_000 / time.as_micros().max(1);
    let mut line = format!(
        "info depth {} score {score} nodes {nodes} nps {rate} time {} pv",
        thought.depth,
        time.as_millis()
    );
    let mut position = root.clone();
    for ply in &thought.line {
        line.push(' ');
        line += &move_text(&position, ply);
        match position.play(ply) {
            Ok(after) => position = after,
            Err(_) => break,
        }
    }
    line
}

/// A legal ply as the interface writes it: `e2e4`, `e7e8q`, `N@f3`; a relocation of New Chess as
/// `R@e2/e3`, a placement of Kingchess as `K@b1,P@b2`.
///
/// # Examples
///
/// ```
/// use parapost_engine::uci;
/// use parapost_rules::Variant;
///
/// for (game, text) in [("chess", "e2e4"), ("newchess", "R@e2/e3"), ("kingchess", "K@b1,P@b2")] {
///     let start = Variant::find(game, &[])?.start();
///     let ply = uci::read_move(&start, text).expect("a legal move");
///     assert_eq!(uci::move_text(&start, &ply), text);
/// }
/// # Ok::<(), parapost_rules::VariantError>(())
/// ```
#[must_use]
pub fn move_text(position: &Position, ply: &Ply) -> String {
    let drop = |role: Role, to: Square| format!("{}@{to}", role.letter());
    match *ply {
        Ply::Relocation { role, to, pawn } => format!("{}/{pawn}", drop(role, to)),
        Ply::Placement(placement) => {
            let drops = placement.drops().map(|(role, to)| drop(role, to));
            drops.collect::<Vec<_>>().join(",")
        }
        _ => position.uci(ply).unwrap_or_else(|| position.text(ply)),
    }
}

/// The legal ply that is written so; none if there is none. A drop may name its piece by a small
/// letter, too.
#[must_use]
pub fn read_move(position: &Position, text: &str) -> Option<Ply> {
    let text = match text.split_once('@') {
        Some((role, _)) if role.len() == 1 => text.to_owned(),
        _ => text.to_ascii_lowercase(),
    };
    if text.contains(',') {
        let drops = text.split(',').map(|drop| {
            let (letter, to) = drop.split_once('@')?;
            let mut letters = letter.chars();
            let role = letters.next().and_then(Role::from_letter)?;
            letters.next().is_none().then_some((role, to.parse().ok()?))
        });
        let placement = Placement::new(drops.collect::<Option<Vec<_>>>()?)?;
        let ply = Ply::Placement(placement);
        return position.is_legal(&ply).then_some(ply);
    }
    let mut plies = position.single_plies().into_iter();
    plies.find(|ply| move_text(position, ply).eq_ignore_ascii_case(&text))
}

/// What `setoption` sets.
struct Options {
    game: &'static str,
    rules: String,
    memory: usize,
    level: Option<Level>,
    seed: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            game: "unachess",
            rules: String::new(),
            memory: 16,
            level: None,
            seed: 0,
        }
    }
}

impl Options {
    fn variant(&self) -> Result<Variant, String> {
        let options: Vec<&str> = self
            .rules
            .split([',', ' '])
            .filter(|name| !name.is_empty())
            .collect();
        Variant::find(self.game, &options).map_err(|error| error.to_string())
    }
}

/// The listener's side.
struct Session<'a, W> {
    output: &'a Output<W>,
    jobs: Sender<Job>,
    stop: Arc<AtomicBool>,
    is_thinking: &'a AtomicBool,
    options: Options,
    /// The position; none after one that could not be read.
    record: Option<Record>,
    /// True if the end of the input ends the thinking.
    hears_end: bool,
}

/// The commands. Words before the first of them are passed over.
const COMMANDS: [&str; 9] = [
    "uci",
    "isready",
    "setoption",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "quit",
    "ponderhit",
];

impl<W: Write> Session<'_, W> {
    fn listen(&mut self, input: &mut impl BufRead) -> io::Result<()> {
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = io::Read::take(&mut *input, LONGEST_LINE).read_until(b'\n', &mut line)?;
            if read == 0 || self.output.has_failed() {
                return Ok(());
            }
            let text = String::from_utf8_lossy(&line);
            let mut words = text
                .split_whitespace()
                .skip_while(|word| !COMMANDS.contains(word));
            let Some(command) = words.next() else {
                continue;
            };
            let words: Vec<&str> = words.collect();
            match command {
                "uci" => self.introduce(),
                "isready" => self.output.say("readyok"),
                "setoption" => self.set(&words),
                "ucinewgame" => self.new_game(),
                "position" => self.place(&words),
                "go" => self.go(&words),
                "stop" => self.stop.store(true, Ordering::Relaxed),
                "quit" => {
                    self.hears_end = true;
                    return Ok(());
                }
                _ => {}
            }
        }
    }

    fn introduce(&self) {
        let say = |line: &str| self.output.say(line);
        say(concat!("id name parapost ", env!("CARGO_PKG_VERSION")));
        say("id author The parapost authors");
        let games: Vec<String> = games::ALL
            .iter()
            .map(|game| format!("var {}", game.id))
            .collect();
        let games = games.join(" ");
        say(&format!(
            "option name UCI_Variant type combo default {} {games}",
            Options::default().game
        ));
        say("option name Rules type string default <empty>");
        say(&format!(
            "option name Hash type spin default 16 min 1 max {MOST_MEMORY}"
        ));
        say("option name Level type spin default 0 min 0 max 5");
        say(&format!(
            "option name Seed type spin default 0 min 0 max {}",
            u32::MAX
        ));
        say("uciok");
    }

    fn complain(&self, about: &str) {
        let plain: String = about
            .chars()
            .map(|c| if c.is_control() { '?' } else { c })
            .collect();
        self.output.say(&format!("info string {plain}"));
    }

    fn new_game(&mut self) {
        self.record = match self.options.variant() {
            Ok(variant) => Some(Record::new(variant.start())),
            Err(error) => {
                self.complain(&error);
                None
            }
        };
    }

    fn set(&mut self, words: &[&str]) {
        let value_at = words
            .iter()
            .position(|word| *word == "value")
            .unwrap_or(words.len());
        let name = words
            .get(1..value_at)
            .unwrap_or_default()
            .join(" ")
            .to_ascii_lowercase();
        let value = words.get(value_at + 1..).unwrap_or_default().join(" ");
        let number = value.parse::<u64>();
        match (name.as_str(), number) {
            ("uci_variant", _) => match games::find(&value) {
                Some(game) => {
                    self.options.game = game.id;
                    self.options.rules.clear();
                    self.new_game();
                }
                None => self.complain(&format!("there is no game '{value}'")),
            },
            ("rules", _) => {
                self.options.rules = if value == "<empty>" {
                    String::new()
                } else {
                    value
                };
                self.new_game();
            }
            ("hash", Ok(memory)) => {
                let memory = usize::try_from(memory).unwrap_or(MOST_MEMORY);
                self.options.memory = memory.clamp(1, MOST_MEMORY);
            }
            ("level", Ok(level)) => {
                self.options.level = u8::try_from(level).ok().and_then(Level::new);
            }
            ("seed", Ok(seed)) => self.options.seed = seed,
            _ => {}
        }
    }

    fn place(&mut self, words: &[&str]) {
        let moves_at = words
            .iter()
            .position(|word| *word == "moves")
            .unwrap_or(words.len());
        let moves = words.get(moves_at + 1..).unwrap_or_default();
        match self.record_of(&words[..moves_at], moves) {
            Ok(record) => self.record = Some(record),
            Err(error) => {
                self.complain(&error);
                self.record = None;
            }
        }
    }

    fn record_of(&self, from: &[&str], moves: &[&str]) -> Result<Record, String> {
        let variant = self.options.variant()?;
        let start = match from {
            ["startpos", ..] => variant.start(),
            ["fen", fen @ ..] => {
                Position::from_fen(&variant, &fen.join(" ")).map_err(|error| error.to_string())?
            }
            _ => return Err("a position is 'startpos' or 'fen …'".to_owned()),
        };
        let mut record = Record::new(start);
        for text in moves {
            let ply = read_move(record.position(), text);
            let ply = ply.ok_or_else(|| format!("'{text}' is no legal move"))?;
            record
                .play(&ply)
                .map_err(|error| format!("'{text}': {error}"))?;
        }
        Ok(record)
    }

    fn go(&mut self, words: &[&str]) {
        if self.is_thinking.load(Ordering::Acquire) {
            return self.complain("the engine is thinking; 'stop' ends that");
        }
        let Some(record) = self.record.clone() else {
            self.complain("there is no position");
            return self.output.say("bestmove (none)");
        };
        let (mut limits, is_infinite) = self.limits(words, record.position());
        self.stop.store(false, Ordering::Relaxed);
        limits.stop = Some(self.stop.clone());
        let bounds = [
            limits.nodes.is_some(),
            limits.time.is_some(),
            limits.depth.is_some(),
        ];
        let is_endless = is_infinite || !bounds.contains(&true);
        self.hears_end = is_endless;
        self.is_thinking.store(true, Ordering::Release);
        let memory = self.options.memory;
        // The worker lives as long as this sender.
        let _ = self.jobs.send(Job {
            record,
            limits,
            memory,
            is_endless,
        });
    }

    /// The limits of `go`, and whether it is to think without end.
    fn limits(&self, words: &[&str], position: &Position) -> (Limits, bool) {
        let number = |name: &str| {
            let at = words.iter().position(|word| *word == name)?;
            words.get(at + 1)?.parse::<i64>().ok()
        };
        let positive = |name: &str| number(name).map(|number| u64::try_from(number).unwrap_or(0));
        let (variant, turn) = (position.variant(), position.turn());
        let (clock, more) = match turn {
            Color::White => ("wtime", "winc"),
            Color::Black => ("btime", "binc"),
        };
        let mut limits = Limits {
            nodes: positive("nodes"),
            time: positive("movetime").map(Duration::from_millis),
            depth: positive("depth").map(|depth| u32::try_from(depth).unwrap_or(u32::MAX)),
            seed: self.options.seed,
            ..Limits::default()
        };
        if let Some(left) = positive(clock) {
            let left = Duration::from_millis(left);
            let moves = positive("movestogo").unwrap_or(30).clamp(1, 60);
            let moves = u32::try_from(moves).unwrap_or(30);
            let more = Duration::from_millis(positive(more).unwrap_or(0));
            let share = (left / moves).saturating_add(more / 4 * 3);
            let most = share
                .min(left.saturating_sub(RESERVED))
                .max(Duration::from_millis(1));
            limits.time = Some(limits.time.map_or(most, |time| time.min(most)));
        }
        if let Some(level) = self.options.level {
            let nodes = Values::of(variant).levels[level.place()].nodes;
            limits.nodes = Some(limits.nodes.map_or(nodes, |most| most.min(nodes)));
        }
        (limits, words.contains(&"infinite"))
    }
}
