//! Measures single operations: `cargo bench -p parapost-rules`.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use parapost_rules::{
    Listing, Placement, Ply, Position, Record, Role, Setup, Square, Variant, Walk,
};

fn main() {
    divan::main();
}

/// Games with a list of moves that leads into the middle of a game.
const MIDDLES: &[(&str, &str)] = &[
    (
        "chess",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ),
    (
        "shogi",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL[GRpppppnsg] b - - 0 1",
    ),
    (
        "unachess",
        "4k3/8/2n1p3/8/3PN3/8/8/4K3[RRBBNQPPPPPPPrrbbnqppppppp] w - - 0 8",
    ),
    (
        "newchess",
        "4k3/pppp1ppp/2n5/8/8/5N2/PPPPPPPP/4K3[RRBBNQrrbbnq] w Ee - 0 3",
    ),
];

fn middle(game: &str) -> Position {
    let fen = MIDDLES
        .iter()
        .find(|(name, _)| *name == game)
        .expect("a game of the table")
        .1;
    let variant = Variant::find(game, &[]).expect("a known game");
    let setup = Setup::from_fen(&variant, fen).expect("a FEN");
    Position::from_setup(&variant, &setup).expect("a position that can stand")
}

const GAMES: [&str; 4] = ["chess", "shogi", "unachess", "newchess"];

#[divan::bench(args = GAMES)]
fn legal_plies(bencher: Bencher, game: &str) {
    let position = middle(game);
    bencher.bench(|| black_box(&position).single_plies());
}

#[divan::bench(args = GAMES)]
fn perft_2(bencher: Bencher, game: &str) {
    let position = middle(game);
    bencher.bench(|| black_box(&position).perft(2));
}

#[divan::bench(args = GAMES)]
fn write_every_move(bencher: Bencher, game: &str) {
    let position = middle(game);
    let plies = position.single_plies();
    bencher.bench(|| {
        plies
            .iter()
            .map(|ply| position.text(black_box(ply)).len())
            .sum::<usize>()
    });
}

#[divan::bench(args = GAMES)]
fn read_a_move(bencher: Bencher, game: &str) {
    let position = middle(game);
    let text = position.text(&position.single_plies()[0]);
    bencher.bench(|| position.read(black_box(&text)).is_ok());
}

#[divan::bench(args = GAMES)]
fn play_and_end(bencher: Bencher, game: &str) {
    let position = middle(game);
    let ply = position.single_plies()[0];
    bencher.bench(|| {
        let mut record = Record::new(position.clone());
        let legal = record.play(black_box(&ply)).is_ok();
        (legal, record.outcome())
    });
}

/// Kingchess: one of more than 5 * 10^15 first turns.
#[divan::bench]
fn kingchess_first_turn_is_legal(bencher: Bencher) {
    let position = Variant::find("kingchess", &[])
        .expect("a known game")
        .start();
    let square = |file, rank| Square::new(file, rank).expect("a square");
    let drops = [
        (Role::King, square(1, 0)),
        (Role::Bishop, square(1, 1)),
        (Role::Pawn, square(1, 2)),
        (Role::Pawn, square(2, 1)),
        (Role::Pawn, square(5, 3)),
        (Role::Pawn, square(6, 3)),
    ];
    let ply = Ply::Placement(Placement::new(drops).expect("six squares"));
    bencher.bench(|| position.is_legal(black_box(&ply)));
}

/// Kingchess: is a double check mate that only a placement of two pieces meets?
#[divan::bench]
fn kingchess_double_check_is_mate(bencher: Bencher) {
    let variant = Variant::find("kingchess", &[]).expect("a known game");
    let fen = "r6k/8/8/4b3/8/8/3n2pp/K7[QRRBNNPPPPrbnpppp] w - - 0 9";
    let setup = Setup::from_fen(&variant, fen).expect("a FEN");
    let position = Position::from_setup(&variant, &setup).expect("a position that can stand");
    bencher.bench(|| black_box(&position).outcome());
}

/// Lines of two plies, each played and taken back by a walk: the leaves a second are what a
/// search can hope for.
#[divan::bench(args = ["chess", "unachess", "shogi", "newchess"])]
fn walk_to_leaves(bencher: Bencher, game: &str) {
    let mut walk = Walk::new(&middle(game));
    let lines = usize::try_from(middle(game).perft(2)).expect("few");
    bencher.counter(ItemsCount::new(lines)).bench_local(|| {
        let mut leaves = 0;
        for first in 0..walk.list(Listing::All) {
            walk.play(first);
            for second in 0..walk.list(Listing::All) {
                walk.play(second);
                leaves += black_box(walk.key()) & 1;
                walk.back();
            }
            walk.back();
        }
        leaves
    });
}
