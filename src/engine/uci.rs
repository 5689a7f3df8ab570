//! The Universal Chess Interface, by which programs with a board talk to engines.
//!
//! [`serve`] reads commands and writes answers, as `docs/engine.md` of the repository has
//! them. What it does not know it passes over, as the interface asks for, and whatever is
//! written it goes on.

use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
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
/// The most tasks that wait for the worker. The listener waits for room for another one.
const MOST_WAITING: usize = 1_000;
/// How much deeper than a mate the engine looks for it, in half-moves.
const BEYOND_MATE: u32 = 2;

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
    let (send, tasks) = mpsc::sync_channel(MOST_WAITING);
    let output_ref = &output;
    let read = thread::scope(|scope| {
        let worker = scope.spawn(move || work(&tasks, output_ref));
        let mut session = Session {
            output: &output,
            tasks: send,
            pending: Vec::new(),
            options: Options::default(),
            record: Err(String::new()),
        };
        session.new_game();
        let read = session.listen(&mut input);
        // Nobody can say `stop` any more: what is thought about is thought to its end, if it
        // has one.
        session.stop(|pending| pending.is_endless);
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

    fn complain(&self, about: &str) {
        self.say(&complaint(about));
    }

    fn has_failed(&self) -> bool {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .1
            .is_err()
    }
}

/// Returns what is wrong as a line of the interface.
fn complaint(about: &str) -> String {
    let plain = about.chars().map(|c| if c.is_control() { '?' } else { c });
    format!("info string {}", plain.collect::<String>())
}

/// Something to think about.
struct Job {
    record: Record,
    limits: Limits,
    memory: usize,
    /// It tells its ply only when it is stopped.
    is_endless: bool,
    /// It ends with a mate in so many moves.
    mate: Option<i32>,
}

/// What the worker has to do.
enum Task {
    Think(Box<Job>),
    /// Answers a `go` that cannot be thought about, in its turn, with this reason.
    Refuse(String),
    /// Makes a table of so many mebibytes for a game, and says that it is ready.
    Prepare(Variant, usize),
}

/// An engine with a table of so many mebibytes.
fn engine_for<'e>(
    known: &'e mut Option<(Engine, usize)>,
    variant: &Variant,
    memory: usize,
) -> &'e mut Engine {
    known.take_if(|(engine, size)| engine.variant() != variant || *size != memory);
    let (engine, _) = known.get_or_insert_with(|| {
        let mut engine = Engine::new(variant);
        engine.set_memory(memory);
        (engine, memory)
    });
    engine
}

/// Does one task after the other.
fn work<W: Write>(tasks: &Receiver<Task>, output: &Output<W>) {
    let mut engine = None;
    for task in tasks {
        match task {
            Task::Think(job) => think(*job, &mut engine, output),
            Task::Refuse(why) => {
                // Nothing that the listener says comes between the two lines.
                output.say(&format!("{}\nbestmove 0000", complaint(&why)));
            }
            Task::Prepare(variant, memory) => {
                engine_for(&mut engine, &variant, memory);
                output.say("readyok");
            }
        }
    }
}

fn think<W: Write>(mut job: Job, engine: &mut Option<(Engine, usize)>, output: &Output<W>) {
    let root = job.record.position();
    let engine = engine_for(engine, root.variant(), job.memory);
    let begun = Instant::now();
    let stop = job.limits.stop.clone().unwrap_or_default();
    let thought = engine.think_aloud(&job.record, &job.limits, |thought| {
        output.say(&info(root, thought, begun.elapsed()));
        if let (Some(most), Score::Mate(plies @ 1..)) = (job.mate, thought.score)
            && (plies + 1) / 2 <= most
        {
            stop.store(true, Ordering::Relaxed);
        }
    });
    while job.is_endless && !stop.load(Ordering::Relaxed) {
        thread::sleep(PAUSE);
    }
    // A placement may be none that the engine tries.
    let only = &job.limits.only;
    let ply = thought
        .ply
        .filter(|ply| only.is_empty() || only.contains(ply));
    let best = ply
        .or_else(|| only.first().copied())
        .map_or("(none)".to_owned(), |ply| move_text(root, &ply));
    // Before the answer is heard, the job is no longer pending.
    job.limits.stop = None;
    drop(stop);
    output.say(&format!("bestmove {best}"));
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
    /// The game, or why there is none.
    game: Result<&'static str, String>,
    rules: String,
    memory: usize,
    level: Option<Level>,
    seed: u64,
}

/// The game that is played if nobody names one.
const DEFAULT: &str = "unachess";

impl Default for Options {
    fn default() -> Options {
        Options {
            game: Ok(DEFAULT),
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
        Variant::find(self.game.clone()?, &options).map_err(|error| error.to_string())
    }
}

/// The listener's side.
struct Session<'a, W> {
    output: &'a Output<W>,
    tasks: SyncSender<Task>,
    /// What may still be thought about, in its order.
    pending: Vec<Pending>,
    options: Options,
    /// The position, or why there is none.
    record: Result<Record, String>,
}

/// A job that was given to the worker.
struct Pending {
    /// Ends the job. The worker lets go of it when the job is over.
    stop: Arc<AtomicBool>,
    is_endless: bool,
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
                "isready" => self.prepare(),
                "setoption" => self.set(&words),
                "ucinewgame" => self.new_game(),
                "position" => self.place(&words),
                "go" => self.go(&words),
                "stop" => self.stop(|_| true),
                "quit" => {
                    self.stop(|_| true);
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
            "option name UCI_Variant type combo default {DEFAULT} {games}"
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

    fn new_game(&mut self) {
        let variant = self.options.variant();
        self.set_record(variant.map(|variant| Record::new(variant.start())));
    }

    fn set_record(&mut self, record: Result<Record, String>) {
        if let Err(error) = &record {
            self.output.complain(error);
        }
        self.record = record;
    }

    /// Ends the pending jobs of a kind.
    fn stop(&mut self, is_meant: impl Fn(&Pending) -> bool) {
        for pending in self.pending.iter().filter(|pending| is_meant(pending)) {
            pending.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Says that the engine is ready, with its table unless it thinks.
    fn prepare(&mut self) {
        self.forget_done();
        match &self.record {
            Ok(record) if self.pending.is_empty() => {
                let variant = record.position().variant().clone();
                self.give(Task::Prepare(variant, self.options.memory));
            }
            _ => self.output.say("readyok"),
        }
    }

    fn forget_done(&mut self) {
        self.pending
            .retain(|pending| Arc::strong_count(&pending.stop) > 1);
    }

    /// Gives the worker a task. If too many wait, those without an end end.
    fn give(&mut self, task: Task) {
        if let Err(TrySendError::Full(task)) = self.tasks.try_send(task) {
            self.stop(|pending| pending.is_endless);
            // The worker lives as long as this sender.
            let _ = self.tasks.send(task);
        }
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
            ("uci_variant", _) => {
                let game = games::find(&value.to_ascii_lowercase());
                let game = game.map(|game| game.id);
                self.options.game = game.ok_or_else(|| format!("there is no game '{value}'"));
                self.options.rules.clear();
                self.new_game();
            }
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
        let record = self.record_of(&words[..moves_at], moves);
        self.set_record(record);
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
        let job = self.record.clone().and_then(|record| {
            let only = only(words, record.position())?;
            Ok((record, only))
        });
        let (record, only) = match job {
            Ok(job) => job,
            Err(why) => return self.give(Task::Refuse(why)),
        };
        let (mut limits, is_infinite) = self.limits(words, record.position());
        let mate = number_of(words, "mate").filter(|mate| *mate > 0);
        let mate = mate.map(|mate| i32::try_from(mate).unwrap_or(i32::MAX));
        if let Some(mate) = mate.filter(|_| !is_infinite) {
            let plies = mate.cast_unsigned().saturating_mul(2);
            let depth = plies.saturating_add(BEYOND_MATE);
            limits.depth = Some(limits.depth.map_or(depth, |most| most.min(depth)));
        }
        let bounds = [
            limits.nodes.is_some(),
            limits.time.is_some(),
            limits.depth.is_some(),
        ];
        let is_endless = is_infinite || !bounds.contains(&true);
        let stop = Arc::new(AtomicBool::new(false));
        limits.stop = Some(stop.clone());
        limits.only = only;
        self.forget_done();
        self.pending.push(Pending { stop, is_endless });
        self.give(Task::Think(Box::new(Job {
            record,
            limits,
            memory: self.options.memory,
            is_endless,
            mate,
        })));
    }

    /// The limits of `go`, and whether it is to think without end.
    fn limits(&self, words: &[&str], position: &Position) -> (Limits, bool) {
        let positive =
            |name: &str| number_of(words, name).map(|number| u64::try_from(number).unwrap_or(0));
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

/// The words of `go`.
const GO_WORDS: [&str; 12] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
];

/// Returns the number behind a word of `go`.
fn number_of(words: &[&str], name: &str) -> Option<i64> {
    let at = words.iter().position(|word| *word == name)?;
    words.get(at + 1)?.parse().ok()
}

/// Returns the plies behind `searchmoves`.
///
/// # Errors
///
/// If there are none, or one is not legal.
fn only(words: &[&str], position: &Position) -> Result<Vec<Ply>, String> {
    let Some(at) = words.iter().position(|word| *word == "searchmoves") else {
        return Ok(Vec::new());
    };
    let plies = words[at + 1..].iter();
    let plies = plies.take_while(|word| !GO_WORDS.contains(word));
    let plies: Result<Vec<Ply>, String> = plies
        .map(|text| {
            let ply = read_move(position, text);
            ply.ok_or_else(|| format!("'{text}' is no legal move"))
        })
        .collect();
    match plies {
        Ok(plies) if plies.is_empty() => Err("'searchmoves' names no move".to_owned()),
        plies => plies,
    }
}
