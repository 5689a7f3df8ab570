//! The tuning of the values: a table in which one value is another plays the table as it is, a block of games a line of CSV.

use parapost_engine::{Values, Worth};
use parapost_rules::{Role, Variant, games};

use super::contest::{self, Player};
use super::statistics::Estimate;

/// The head of a file of blocks.
pub(crate) const HEAD: &str = "version,game,values,change,first,games,points\n";
/// Positions a ply, for both players.
const NODES: u64 = 500;
/// Games of a line. Each opening is played twice.
const BLOCK: u64 = 20;
/// The fewest games of a change, and the most.
const FEWEST: usize = 100;
const MOST: usize = 1_000;
/// A change that makes no such share, by its interval of 95 %, is not looked at any longer: what is to be found are
/// values that are wrong, not differences that thousands of games would show.
const WORTHWHILE: f64 = 0.57;

/// A table in which one value, or one kind of value, is another.
pub(crate) struct Change {
    /// What is changed, and by which factor: `siege*1.5`.
    pub(crate) name: String,
    pub(crate) values: Values,
}

/// One value of a table.
type Part<T> = fn(&mut T) -> &mut i32;

/// A value by a factor, rounded, but never the same.
fn scaled(value: i32, factor: f64) -> i32 {
    #[allow(
        clippy::cast_possible_truncation,
        reason = "values are some hundreds, factors about one"
    )]
    let other = (f64::from(value) * factor).round() as i32;
    match other == value {
        false => other,
        true if factor > 1.0 => value + value.signum(),
        true => value - value.signum(),
    }
}

/// A table with another worth of its pieces.
fn with_roles(values: &Values, change: impl Fn(&mut Worth)) -> Values {
    let mut roles = values.roles.to_vec();
    for worth in &mut roles {
        change(worth);
    }
    Values {
        roles: roles.leak(),
        ..*values
    }
}

/// All changes that are tried of a table: what a piece is worth by an eighth, in reserve alone by a twentieth, and half as
/// much again or two thirds of what stands for places and kings.
pub(crate) fn changes(values: &Values) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut add = |name: &str, factor: f64, change: &dyn Fn(f64) -> Values| {
        for (sign, factor) in [('*', factor), ('/', 1.0 / factor)] {
            let by = if sign == '*' { factor } else { 1.0 / factor };
            let other = change(factor);
            if fingerprint(&other) != fingerprint(values) {
                changes.push(Change {
                    name: format!("{name}{sign}{by:.3}"),
                    values: other,
                });
            }
        }
    };
    for role in values.roles.iter().map(|worth| worth.role) {
        if role == Role::King {
            continue;
        }
        add(role.name(), 1.125, &|factor| {
            with_roles(values, |worth| {
                if worth.role == role {
                    worth.board = scaled(worth.board, factor);
                    worth.reserve = scaled(worth.reserve, factor);
                }
            })
        });
    }
    add("reserve", 1.05, &|factor| {
        with_roles(values, |worth| {
            worth.reserve = scaled(worth.reserve, factor);
        })
    });
    let of_all: [(&str, Part<Worth>); 2] = [
        ("centre", |worth| &mut worth.centre),
        ("advance", |worth| &mut worth.advance),
    ];
    for (name, part) in of_all {
        add(name, 1.5, &|factor| {
            with_roles(values, |worth| {
                *part(worth) = scaled(*part(worth), factor);
            })
        });
    }
    add("king-placed", 1.5, &|factor| {
        with_roles(values, |worth| {
            if worth.role == Role::King {
                worth.board = scaled(worth.board, factor);
            }
        })
    });
    let alone: [(&str, Part<Values>); 4] = [
        ("king-away", |values| &mut values.king_away),
        ("virtual-check", |values| &mut values.virtual_check),
        ("siege", |values| &mut values.siege),
        ("tempo", |values| &mut values.tempo),
    ];
    for (name, part) in alone {
        add(name, 1.5, &|factor| {
            let mut other = *values;
            *part(&mut other) = scaled(*part(&mut other), factor);
            other
        });
    }
    changes
}

/// Eight digits that are others where a value is another; levels are none of them. FNV-1a.
pub(crate) fn fingerprint(values: &Values) -> String {
    let Values {
        roles,
        king_away,
        virtual_check,
        siege,
        tempo,
        levels: _,
    } = values;
    let text = format!("{roles:?}{king_away},{virtual_check},{siege},{tempo}");
    let hash = text.bytes().fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    format!("{hash:08x}")
}

/// What all lines of a change begin with.
pub(crate) fn heading(variant: &Variant, values: &Values, change: &Change) -> String {
    let (version, game) = (env!("CARGO_PKG_VERSION"), variant.game().id);
    [version, game, &fingerprint(values), &change.name, ""].join(",")
}

/// A block of games of a change against the table as it is, from the game of a number on, as a line.
pub(crate) fn line(variant: &Variant, values: &Values, change: &Change, first: u64) -> String {
    let tables = [&change.values, values];
    let points: f64 = (first..first + BLOCK)
        .map(|number| {
            // New players for each game, so that a block is the same whatever was played before it.
            let mut players = tables.map(|table| Player::with_values(variant, table, NODES));
            contest::points(variant, &mut players, number)
        })
        .sum();
    let heading = heading(variant, values, change);
    format!("{heading}{first},{BLOCK},{points}")
}

/// What the blocks of a file say of a change.
pub(crate) fn share(text: &str, heading: &str) -> Estimate {
    let rests = text.lines().filter_map(|line| line.strip_prefix(heading));
    let (points, games) = rests.fold((0.0, 0), |(points, games), rest| {
        let [_, count, made] = rest.split(',').collect::<Vec<_>>()[..] else {
            panic!("{rest}: three fields");
        };
        let made: f64 = made.parse().expect("points");
        (
            points + made,
            games + count.parse::<usize>().expect("games"),
        )
    });
    Estimate::share(points, games)
}

/// Returns true if a change has been looked at long enough.
pub(crate) fn is_done(share: Estimate) -> bool {
    share.games >= MOST || (share.games >= FEWEST && share.high < WORTHWHILE)
}

/// Returns true if a change is to be made: it has gone all the way, and is better.
pub(crate) fn is_better(share: Estimate) -> bool {
    share.games >= MOST && share.is_above(0.5)
}

/// The table of `docs/engine.md`: for each table of values how many changes were tried in how many games, and the best of them.
pub(crate) fn table(text: &str) -> String {
    let mut table =
        "| game | changes tried | games | the best of them, % | better |\n|---|---|---|---|---|\n"
            .to_owned();
    for game in games::ALL {
        let variant = Variant::find(game.id, &[]).expect("a game");
        let values = Values::of(&variant);
        let shares: Vec<(String, Estimate)> = changes(&values)
            .into_iter()
            .map(|change| {
                let share = share(text, &heading(&variant, &values, &change));
                (change.name, share)
            })
            .collect();
        let games: usize = shares.iter().map(|(_, share)| share.games).sum();
        // What went furthest, and of these what made most.
        let best = shares
            .iter()
            .max_by(|(_, one), (_, other)| one.low.total_cmp(&other.low));
        let (name, best) = best.expect("changes");
        let [value, low, high] = [best.value, best.low, best.high].map(|part| 100.0 * part);
        let better = shares.iter().filter(|(_, share)| is_better(*share)).count();
        let row = format!(
            "| {} | {} | {games} | `{name}`: {value:.0} ({low:.0} to {high:.0}, {}) | {better} |\n",
            game.name,
            shares.len(),
            best.games
        );
        table += &row;
    }
    table
}
