//! Measures `parapost-rules` against the fastest peers there are, and prints the table of `docs/performance.md`.
//!
//! Machines are noisy, so nothing is measured alone: the two sides of a contest take turns, one thread each, and what
//! counts is the median of the ratios of the pairs, with the interval that holds the true median with 95 % confidence.
//!
//! Usage: `parapost-peers [PAIRS]`, at least 15 pairs.

mod fairy;

use std::hint::black_box;
use std::time::{Duration, Instant};

use haitaka::Board;
use parapost_rules::{Position, Setup, Variant};
use shakmaty::Chess;

const LEAST_PAIRS: usize = 15;

/// Two programs counting the same lines of play.
struct Contest<'a> {
    title: &'static str,
    /// The ratio to reach, if one was set.
    goal: Option<f64>,
    ours: Box<dyn FnMut() -> u64 + 'a>,
    peer: Box<dyn FnMut() -> (u64, Duration) + 'a>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pairs = std::env::args().nth(1).map_or(Ok(LEAST_PAIRS), |text| text.parse())?;
    let pairs = pairs.max(LEAST_PAIRS);
    println!("| contest | nodes | ours | peer | ours / peer, median of {pairs} | 95 % interval | to reach |");
    println!("|---|---|---|---|---|---|---|");
    let mut fairy = fairy::Engine::start()?;
    for mut contest in [
        chess("chess, perft 6 from the start, against shakmaty", "", 6, Some(0.8))?,
        chess("chess, perft 5 of a crowded middle game, against shakmaty", KIWIPETE, 5, None)?,
        shogi("shogi, perft 5 from the start, against haitaka", "", 5, Some(1.0))?,
        shogi("shogi, perft 3 with full hands, against haitaka", FULL_HANDS, 3, Some(1.0))?,
        drops(&mut fairy)?,
    ] {
        contest.run(pairs)?;
    }
    Ok(())
}

impl Contest<'_> {
    fn run(&mut self, pairs: usize) -> Result<(), String> {
        let mut ratios = Vec::new();
        let (mut ours_best, mut peer_best) = (Duration::MAX, Duration::MAX);
        let mut nodes = 0;
        for _ in 0..pairs {
            let start = Instant::now();
            let ours = (self.ours)();
            let ours_time = start.elapsed();
            let (peer, peer_time) = (self.peer)();
            if ours != peer {
                return Err(format!("{}: we count {ours}, the peer {peer}", self.title));
            }
            nodes = ours;
            ratios.push(ours_time.as_secs_f64() / peer_time.as_secs_f64());
            ours_best = ours_best.min(ours_time);
            peer_best = peer_best.min(peer_time);
        }
        ratios.sort_by(f64::total_cmp);
        let (low, high) = interval(&ratios);
        println!(
            "| {} | {nodes} | {} | {} | **{:.3}** | {low:.3} to {high:.3} | {} |",
            self.title,
            rate(nodes, ours_best),
            rate(nodes, peer_best),
            ratios[ratios.len() / 2],
            self.goal.map_or_else(String::new, |goal| format!("{goal:.2}"))
        );
        Ok(())
    }
}

/// The order statistics between which the median lies with 95 % confidence, by the binomial distribution.
fn interval(sorted: &[f64]) -> (f64, f64) {
    let n = sorted.len();
    let mut tail = 0.0;
    let mut probability = 0.5_f64.powi(i32::try_from(n).unwrap_or(i32::MAX));
    let mut low = 0;
    for k in 0..n / 2 {
        tail += probability;
        if tail > 0.025 {
            break;
        }
        low = k + 1;
        probability *= (n - k) as f64 / (k + 1) as f64;
    }
    let low = low.saturating_sub(1).min(n / 2);
    (sorted[low], sorted[n - 1 - low])
}

/// Millions of nodes a second, in the best run.
fn rate(nodes: u64, best: Duration) -> String {
    format!("{:.0} M/s", nodes as f64 / best.as_secs_f64() / 1e6)
}

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// A middle game with much in both hands.
const FULL_HANDS: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";

fn ours(game: &str, fen: &str) -> Result<Position, Box<dyn std::error::Error>> {
    let variant = Variant::find(game, &[])?;
    Ok(if fen.is_empty() {
        variant.start()
    } else {
        Position::from_setup(&variant, &Setup::from_fen(&variant, fen)?)?
    })
}

fn chess(title: &'static str, fen: &str, depth: u32, goal: Option<f64>) -> Result<Contest<'static>, Box<dyn std::error::Error>> {
    let position = ours("chess", fen)?;
    let peer: Chess = if fen.is_empty() {
        Chess::default()
    } else {
        fen.parse::<shakmaty::fen::Fen>()?.into_position(shakmaty::CastlingMode::Standard)?
    };
    Ok(Contest {
        title,
        goal,
        ours: Box::new(move || black_box(&position).perft(depth)),
        peer: Box::new(move || timed(|| shakmaty::perft(black_box(&peer), depth))),
    })
}

fn shogi(title: &'static str, sfen: &str, depth: u8, goal: Option<f64>) -> Result<Contest<'static>, Box<dyn std::error::Error>> {
    let (fen, sfen) = if sfen.is_empty() {
        (String::new(), String::from(haitaka::SFEN_STARTPOS))
    } else {
        (fen_of_sfen(sfen), String::from(sfen))
    };
    let position = ours("shogi", &fen)?;
    let peer: Board = sfen.parse().map_err(|error| format!("{error:?}"))?;
    Ok(Contest {
        title,
        goal,
        ours: Box::new(move || black_box(&position).perft(u32::from(depth))),
        peer: Box::new(move || timed(|| haitaka_perft(black_box(&peer), depth))),
    })
}

/// SFEN counts its hands and names Black first; our FEN writes every piece, in brackets.
fn fen_of_sfen(sfen: &str) -> String {
    let fields: Vec<&str> = sfen.split(' ').collect();
    let mut hands = String::new();
    let mut count = 0;
    for c in fields[2].chars().filter(|c| *c != '-') {
        if let Some(digit) = c.to_digit(10) {
            count = count * 10 + digit;
        } else {
            (0..count.max(1)).for_each(|_| hands.push(c));
            count = 0;
        }
    }
    let side = if fields[1] == "b" { "w" } else { "b" };
    format!("{}[{hands}] {side}", fields[0])
}

/// Counts the last ply without playing it, as all here do.
fn haitaka_perft(board: &Board, depth: u8) -> u64 {
    let mut nodes = 0;
    if depth == 1 {
        let mut count = |moves: haitaka::PieceMoves| {
            nodes += moves.into_iter().len() as u64;
            false
        };
        board.generate_board_moves(&mut count);
        board.generate_drops(&mut count);
    } else {
        let mut walk = |moves: haitaka::PieceMoves| {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                nodes += haitaka_perft(&next, depth - 1);
            }
            false
        };
        board.generate_board_moves(&mut walk);
        board.generate_drops(&mut walk);
    }
    nodes
}

fn timed(count: impl FnOnce() -> u64) -> (u64, Duration) {
    let start = Instant::now();
    let nodes = count();
    (nodes, start.elapsed())
}

/// Unachess after both kings are placed, against Fairy-Stockfish with the nearest variant it can be told.
fn drops(fairy: &mut fairy::Engine) -> Result<Contest<'_>, Box<dyn std::error::Error>> {
    let variant = Variant::new(&fairy::our_game(), &[])?;
    let position = Position::from_setup(&variant, &Setup::from_fen(&variant, fairy::OUR_FEN)?)?;
    let depth = fairy::DEPTH;
    Ok(Contest {
        title: "Unachess with both kings placed, perft 3, against Fairy-Stockfish",
        goal: Some(0.1),
        ours: Box::new(move || black_box(&position).perft(depth)),
        peer: Box::new(move || {
            let start = Instant::now();
            let nodes = fairy.perft(depth).expect("Fairy-Stockfish answers");
            (nodes, start.elapsed())
        }),
    })
}
