//! Measures the search from each game's start: `cargo bench -p parapost-engine`.
//!
//! For each game the depth reached in a second, and the nodes a second.

use std::time::{Duration, Instant};

use parapost_engine::{Engine, Limits};
use parapost_rules::{Record, Variant, games};

fn main() {
    println!(
        "{:<10} {:>5} {:>12} {:>14}",
        "game", "depth", "nodes", "nodes/s"
    );
    for game in games::ALL {
        let variant = Variant::new(game, &[]).expect("a game");
        let mut engine = Engine::new(&variant);
        let limits = Limits {
            time: Some(Duration::from_secs(1)),
            ..Limits::default()
        };
        let begun = Instant::now();
        let thought = engine.think(&Record::new(variant.start()), &limits);
        let seconds = begun.elapsed().as_secs_f64();
        #[expect(clippy::cast_precision_loss, reason = "a figure to read")]
        let rate = thought.nodes as f64 / seconds;
        println!(
            "{:<10} {:>5} {:>12} {rate:>14.0}",
            game.id, thought.depth, thought.nodes
        );
    }
}
