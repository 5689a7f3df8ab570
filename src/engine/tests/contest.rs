//! Matches between levels of the engine and plain players, a game a line of CSV.

use std::error::Error;
use std::time::Duration;

use fastrand::Rng;
use parapost_engine::{Engine, Level, Limits, Strength, Values};
use parapost_rules::{Color, Ply, Record, Variant, games};

use super::peer::{Bound, Peer};
use super::statistics::Estimate;

/// The head of a file of games.
pub(crate) const HEAD: &str =
    "version,game,one,other,number,one_plays,score_of_one,half_moves,end\n";
/// Half-moves after which a game is given up as a draw.
const LONGEST: usize = 300;

/// A player with what it has to think with.
pub(crate) struct Player {
    /// As it stands in a file of games: a level with its numbers, for these may change.
    label: String,
    mind: Mind,
}

enum Mind {
    Level(Box<Engine>, Level),
    Limits(Box<Engine>, Limits),
    Peer(Peer),
}

impl Player {
    /// A player by its name: `level3`, `as600:3:12` (a level by its numbers: positions a ply and, of a hundred
    /// plies, those that are a mistake of each kind), `nodes5000`, `time100` (milliseconds a ply), `peer100` (the
    /// plain player, milliseconds a ply) or `ahead1` (it, so many half-moves deep).
    pub(crate) fn of(name: &str, variant: &Variant) -> Result<Player, Box<dyn Error>> {
        let digits = name
            .find(|c: char| c.is_ascii_digit())
            .ok_or("a player has a number")?;
        let (kind, number) = name.split_at(digits);
        let engine = || Box::new(Engine::new(variant));
        if kind == "as" {
            return Player::of_strength(name, number, variant);
        }
        let number: u32 = number.parse()?;
        let time = Duration::from_millis(number.into());
        let mut label = name.to_owned();
        let mind = match kind {
            "level" => {
                let level = u8::try_from(number).ok().and_then(Level::new);
                let (engine, level) = (engine(), level.ok_or("levels are 1 to 5")?);
                let Strength {
                    nodes,
                    idle,
                    no_answer,
                } = engine.strength(level);
                label = format!("{name}:{nodes}:{idle}:{no_answer}");
                Mind::Level(engine, level)
            }
            "nodes" => Mind::Limits(engine(), Limits::nodes(number.into())),
            "time" => {
                let limits = Limits {
                    time: Some(time),
                    ..Limits::default()
                };
                Mind::Limits(engine(), limits)
            }
            "peer" => Mind::Peer(Peer::new(Bound::Time(time))),
            "ahead" => Mind::Peer(Peer::new(Bound::Depth(number))),
            _ => return Err(format!("there is no player '{name}'").into()),
        };
        Ok(Player { label, mind })
    }

    /// A level by its numbers, which need not be one of the game.
    fn of_strength(name: &str, numbers: &str, variant: &Variant) -> Result<Player, Box<dyn Error>> {
        let [nodes, idle, no_answer] = numbers.split(':').collect::<Vec<_>>()[..] else {
            return Err("a strength is NODES:IDLE:NO_ANSWER".into());
        };
        let strength = Strength {
            nodes: nodes.parse()?,
            idle: idle.parse()?,
            no_answer: no_answer.parse()?,
        };
        let values = Values {
            levels: [strength; 5],
            ..Values::of(variant)
        };
        let engine = Engine::with_values(variant, &values);
        Ok(Player {
            label: name.to_owned(),
            mind: Mind::Level(Box::new(engine), Level::ALL[0]),
        })
    }

    /// A player who knows a game's things by other values, and looks at so many positions a ply.
    pub(crate) fn with_values(variant: &Variant, values: &Values, nodes: u64) -> Player {
        let engine = Box::new(Engine::with_values(variant, values));
        Player {
            label: format!("values{nodes}"),
            mind: Mind::Limits(engine, Limits::nodes(nodes)),
        }
    }

    fn choose(&mut self, record: &Record, seed: u64) -> Option<Ply> {
        match &mut self.mind {
            Mind::Level(engine, level) => engine.choose(record, *level, seed).ply,
            Mind::Limits(engine, limits) => {
                let limits = Limits {
                    seed,
                    ..limits.clone()
                };
                engine.think(record, &limits).ply
            }
            Mind::Peer(peer) => peer.choose(record.position(), seed),
        }
    }
}

/// What all lines begin with that are of one game and two players.
pub(crate) fn heading(variant: &Variant, [one, other]: &[Player; 2]) -> String {
    let (version, game) = (env!("CARGO_PKG_VERSION"), variant.game().id);
    format!("{version},{game},{},{},", one.label, other.label)
}

/// Plays the game of a number, and returns its line.
pub(crate) fn line(variant: &Variant, players: &mut [Player; 2], number: u64) -> String {
    let Game { record, color } = play(variant, players, number, 1 + number);
    let score = match score_of(&record, color) {
        0.0 => "0",
        1.0 => "1",
        _ => "0.5",
    };
    let (plies, end) = (
        record.steps().len(),
        record.outcome().map_or("given up", |end| end.status()),
    );
    let heading = heading(variant, players);
    format!("{heading}{number},{},{score},{plies},{end}", color.letter())
}

/// What the first of two players has made of the game of a number: 0, a half or 1. The two games of an opening have one
/// seed: two players who think alike make half of its points.
pub(crate) fn points(variant: &Variant, players: &mut [Player; 2], number: u64) -> f64 {
    let Game { record, color } = play(variant, players, number, 1 + number / 2);
    score_of(&record, color)
}

/// A game that was played, and the colour of the first player.
struct Game {
    record: Record,
    color: Color,
}

/// Plays the game of a number. Each opening, a few random plies, is played twice, with colours changed; both players have
/// one seed. Players who count positions play it alike on every machine.
fn play(variant: &Variant, players: &mut [Player; 2], number: u64, seed: u64) -> Game {
    let mut record = opening(variant, number / 2);
    let color = [Color::White, Color::Black][usize::from(number % 2 == 1)];
    while record.outcome().is_none() && record.steps().len() < LONGEST {
        let is_other = record.position().turn() != color;
        let chosen = &mut players[usize::from(is_other)];
        let Some(ply) = chosen.choose(&record, seed) else {
            break;
        };
        record.play(&ply).expect("a player plays by the rules");
    }
    Game { record, color }
}

/// The points of a colour; a half where nobody has won.
fn score_of(record: &Record, color: Color) -> f64 {
    match record.outcome().and_then(|end| end.winner) {
        None => 0.5,
        Some(winner) if winner == color => 1.0,
        Some(_) => 0.0,
    }
}

/// A few random plies, of single pieces.
fn opening(variant: &Variant, seed: u64) -> Record {
    let mut rng = Rng::with_seed(seed);
    loop {
        let mut record = Record::new(variant.start());
        for _ in 0..rng.usize(2..7) {
            let plies = record.position().single_plies();
            if plies.is_empty() || record.outcome().is_some() {
                break;
            }
            record
                .play(&plies[rng.usize(0..plies.len())])
                .expect("a legal ply");
        }
        if record.outcome().is_none() {
            return record;
        }
    }
}

/// The score of the first player in those lines of a file that begin so: points and games.
pub(crate) fn score(text: &str, heading: &str) -> (f64, usize) {
    let rests = text.lines().filter_map(|line| line.strip_prefix(heading));
    rests.fold((0.0, 0), |(points, games), rest| {
        let score: f64 = rest
            .split(',')
            .nth(2)
            .and_then(|score| score.parse().ok())
            .expect("a score");
        (points + score, games + 1)
    })
}

/// The matches of the table of `docs/engine.md`, and the head of each one's column.
const LADDER: [(&str, [&str; 2]); 6] = [
    ("1 against one half-move ahead", ["level1", "ahead1"]),
    ("2 against 1", ["level2", "level1"]),
    ("3 against 2", ["level3", "level2"]),
    ("4 against 3", ["level4", "level3"]),
    ("5 against 4", ["level5", "level4"]),
    ("5 against the plain player, 0.1 s", ["level5", "peer100"]),
];

/// The players of two names.
pub(crate) fn pair(variant: &Variant, names: [&str; 2]) -> [Player; 2] {
    names.map(|name| Player::of(name, variant).expect("a player"))
}

/// What a file of games says of the levels as they are, as a table of Markdown: for each game and match the score in per
/// cent, its interval of 95 %, and the games.
pub(crate) fn table(text: &str) -> String {
    let heads = LADDER.map(|(head, _)| head).join(" | ");
    let mut table = format!("| game | {heads} |\n|---{}|\n", "|---".repeat(LADDER.len()));
    for game in games::ALL {
        let variant = Variant::find(game.id, &[]).expect("a game");
        let cells = LADDER.map(|(_, names)| {
            let (points, games) = score(text, &heading(&variant, &pair(&variant, names)));
            let score = Estimate::share(points, games);
            let [value, low, high] = [score.value, score.low, score.high].map(|part| 100.0 * part);
            match games {
                0 => "not played".to_owned(),
                _ => format!("{value:.0} ({low:.0} to {high:.0}, {games})"),
            }
        });
        table += &["| ", game.name, " | ", &cells.join(" | "), " |\n"].concat();
    }
    table
}
