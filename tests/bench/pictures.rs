//! What pictures cost: `cargo bench -p parapost --bench pictures`. Draws 1,000 positions of all games as PNG of 480
//! pixels, one after another on one thread, and prints what that took. The goal is 10 seconds.

use std::hint::black_box;
use std::time::Instant;

use parapost::render::picture::{Picture, svg};
use parapost::render::raster::png;
use parapost::render::view::View;
use parapost::rules::{Ply, Record, games};

const PICTURES: usize = 1000;

fn main() {
    let records: Vec<Record> = (0..PICTURES).map(played).collect();
    let picture = Picture::default();
    let (mut drawn, mut bytes, mut largest) = (0, 0, 0);
    let start = Instant::now();
    for record in &records {
        drawn += black_box(svg(&View::of(record), &picture).expect("a picture")).len();
    }
    let svg = start.elapsed();
    let start = Instant::now();
    for record in &records {
        let file = png(&View::of(record), &picture).expect("a picture");
        bytes += file.len();
        largest = largest.max(black_box(file).len());
    }
    let png = start.elapsed();
    println!("| form | {PICTURES} pictures, s | one, ms | one, KiB | the largest, KiB |");
    println!("|---|---|---|---|---|");
    let row = |name: &str, time: std::time::Duration, bytes: usize, largest: &str| {
        let seconds = time.as_secs_f64();
        let kib = bytes / PICTURES / 1024;
        println!("| {name} | {seconds:.2} | {seconds:.2} | {kib} | {largest} |");
    };
    row("svg", svg, drawn, "-");
    row("png", png, bytes, &(largest / 1024).to_string());
}

/// A match of some game, a number of half-moves long that the number of the match gives.
fn played(number: usize) -> Record {
    let mut rng = fastrand::Rng::with_seed(number as u64);
    let game = games::ALL[number % games::ALL.len()];
    let variant = parapost::rules::Variant::new(game, &[]).expect("a game without options");
    let mut record = Record::new(variant.start());
    for _ in 0..number % 80 {
        // The first turns of Kingchess place the king among others.
        let plies: Vec<Ply> = record.position().legal_plies().take(500).collect();
        let Some(ply) = rng.choice(plies) else { break };
        if record.play(&ply).is_err() {
            break;
        }
    }
    record
}
