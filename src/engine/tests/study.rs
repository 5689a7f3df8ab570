//! The study of `docs/study.md`: a hundredth of its games is played anew, and its report made.

use std::fs;
use std::path::{Path, PathBuf};

use fastrand::Rng;

#[path = "../examples/study/mod.rs"]
#[allow(dead_code, reason = "the example searches openings, too")]
pub(crate) mod example;

use example::statistics::{Estimate, number, quartiles};
use example::{game, games, report, sets};

fn kept(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/study");
    fs::read_to_string(folder.join(name)).expect("what is kept of the study")
}

/// A folder of this test alone.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().skip(1).collect();
    lines.sort_unstable();
    lines
}

/// Plays the kept games of some sets anew, and compares them.
fn come_again(name: &str, sets: &[sets::Set]) {
    let file = folder(name).join("games.csv");
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    games::play_all(&file, sets, jobs, |_, _| ()).expect("games");
    let played = fs::read_to_string(&file).expect("a file");
    let kept = kept("games.csv");
    let is_asked = |line: &&str| {
        let game = game::Game::of_line(line).expect("a game");
        sets.iter().any(|set| game.is_of(set))
    };
    let mut kept = sorted(&kept);
    kept.retain(is_asked);
    assert!(kept.len() >= sets.len(), "{}", kept.len());
    for (played, kept) in sorted(&played).iter().zip(&kept) {
        assert_eq!(played, kept);
    }
    assert_eq!(sorted(&played).len(), kept.len());
}

#[test]
fn a_game_of_each_set_comes_again() {
    let mut sets = sets::sample();
    for set in &mut sets {
        for (_, games) in &mut set.sizes {
            *games = 1;
        }
    }
    come_again("one", &sets);
}

#[test]
#[ignore = "takes long"]
fn a_hundredth_of_the_games_comes_again() {
    come_again("hundredth", &sets::sample());
}

#[test]
fn the_report_of_its_games_is_the_kept_one() {
    let mut games = games::read(&kept("games.csv")).expect("games");
    let made = |games| report::make(games, &[], &[], &report::empty_page()).expect("a report");
    assert_eq!(made(games.clone()).page, kept("page.md"));
    // In whatever order they were played.
    games.reverse();
    assert_eq!(made(games).page, kept("page.md"));
}

#[test]
fn a_page_that_answers_otherwise_is_refused() {
    let games = games::read(&kept("games.csv")).expect("games");
    let page = |words: &str| format!("# The study\n\n{words}\n\n{}", report::empty_page());
    let wrong = |words: &str| {
        let report = report::make(games.clone(), &[], &[], &page(words)).expect("a report");
        report.wrong
    };
    let said: Vec<String> = wrong("One **no**, two **no**, three **maybe**.");
    let third = said.last().expect("the third answer");
    assert!(third.contains("The page says maybe, the games "), "{third}");
    let word = third
        .rsplit(' ')
        .next()
        .expect("a word")
        .trim_end_matches('.');
    assert!(["yes", "no", "open"].contains(&word), "{third}");
    // A few games say nothing.
    assert_eq!(wrong("**open** **open** **open**"), Vec::<String>::new());
    assert_eq!(wrong("**open**").len(), 1);
    let error = report::make(games.clone(), &[], &[], "# The study\n").map(|report| report.page);
    assert!(error.is_err_and(|what| what.contains("'answers'")));
}

/// Sets of which a game takes a moment.
fn quick() -> Vec<sets::Set> {
    let mut sets = sets::all();
    sets.retain(|set| ["unashogi", "unachess-qb2-ne4-k"].contains(&set.name.as_str()));
    for set in &mut sets {
        set.sizes = vec![(100, 4)];
    }
    sets
}

#[test]
fn a_run_that_was_killed_goes_on_where_it_stopped() {
    let file = folder("killed").join("games.csv");
    let play = |jobs| games::play_all(&file, &quick(), jobs, |_, _| ());
    play(1).expect("games");
    let whole = fs::read_to_string(&file).expect("a file");
    assert_eq!(whole.lines().count(), 9);
    for end in [0, 20, whole.len() / 2, whole.len() - 1] {
        fs::write(&file, &whole[..end]).expect("a file");
        play(3).expect("games");
        assert_eq!(fs::read_to_string(&file).expect("a file"), whole, "{end}");
    }
    let broken = whole.replacen("1-0", "2-0", 1);
    fs::write(&file, &broken).expect("a file");
    let error = play(1).expect_err("a line that is no game");
    assert!(
        error.contains("is no game") && error.contains("games.csv: line "),
        "{error}"
    );
    assert_eq!(fs::read_to_string(&file).expect("a file"), broken);
}

#[test]
fn an_opening_is_played_as_told() {
    for set in sets::all()
        .iter()
        .filter(|set| set.part == sets::Part::Opening)
    {
        let (game, record) = game::play(set, 100, 3);
        assert_eq!(
            games::read(&format!("{}\n{}\n", games::HEAD, game.line())),
            Ok(vec![game.clone()])
        );
        assert_eq!(record.steps().len(), game.half_moves);
        let opening = &game.opening;
        let is_queen = opening[0].starts_with("Q>");
        assert_eq!(
            is_queen,
            set.title.contains('Q') || set.title.contains("queen anywhere")
        );
        assert_eq!(
            is_queen && opening[2].starts_with("K>"),
            is_queen,
            "{opening:?}"
        );
        let told = set
            .title
            .trim_start_matches("1. ")
            .split(',')
            .next()
            .expect("a title");
        if told.starts_with("Q>") {
            assert!(opening.join(" ").starts_with(told), "{told}: {opening:?}");
        }
    }
}

/// The chance of so many of some, each with this chance.
fn binomial(count: usize, most: usize, chance: f64) -> f64 {
    let ways = (0..count).fold(1.0, |ways, at| ways * number(most - at) / number(at + 1));
    let (hits, misses) = (number(count), number(most - count));
    ways * chance.powf(hits) * (1.0 - chance).powf(misses)
}

/// The exact interval (Clopper and Pearson): the chances at which so many or more, and so many or fewer,
/// are as rare as 2.5 %, found by halving.
fn exact(count: usize, most: usize) -> [f64; 2] {
    let halved = |is_low: &dyn Fn(f64) -> bool| {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..40 {
            let middle = f64::midpoint(low, high);
            if is_low(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    };
    let sum = |from: usize, to: usize, chance: f64| -> f64 {
        (from..=to).map(|count| binomial(count, most, chance)).sum()
    };
    [
        halved(&|chance| sum(count, most, chance) < 0.025),
        halved(&|chance| sum(0, count, chance) > 0.025),
    ]
}

#[test]
fn the_interval_of_a_share_is_close_to_the_exact_one() {
    for most in [10, 50, 200] {
        for count in (0..=most).step_by(most / 10) {
            let share = Estimate::share(number(count), most);
            let [low, high] = exact(count, most);
            let near = 0.9 / number(most) + 0.05 / number(most).sqrt();
            let far = (share.low - low).abs().max((share.high - high).abs());
            assert!(
                far < near,
                "{count} of {most}: {share:?}, exact {low} {high}"
            );
        }
    }
}

/// How often the interval of a score holds the true one, by every number of wins and draws that there
/// can be.
#[test]
fn the_interval_of_a_score_with_draws_holds_in_95_of_100() {
    let games = 60;
    let mut all = Vec::new();
    for win in [0.1, 0.25, 0.4, 0.6, 0.8] {
        for draw in [0.0, 0.1, 0.3, 0.5] {
            if win + draw > 0.95 {
                continue;
            }
            let score = win + draw / 2.0;
            let mut holds = 0.0;
            for wins in 0..=games {
                let rest = games - wins;
                for draws in 0..=rest {
                    let chance =
                        binomial(wins, games, win) * binomial(draws, rest, draw / (1.0 - win));
                    let points = number(wins) + number(draws) / 2.0;
                    let found = Estimate::share(points, games);
                    if found.low <= score && score <= found.high {
                        holds += chance;
                    }
                }
            }
            assert!(holds > 0.92, "{win} {draw}: {holds}");
            all.push(holds);
        }
    }
    let mean = all.iter().sum::<f64>() / number(all.len());
    assert!((0.95..0.99).contains(&mean), "{mean}");
}

#[test]
fn the_interval_of_a_difference_holds_in_95_of_100() {
    let games = 40;
    for (one, other) in [(0.5, 0.5), (0.3, 0.6), (0.8, 0.75), (0.1, 0.2)] {
        let mut holds = 0.0;
        for hits in 0..=games {
            for other_hits in 0..=games {
                let both = [hits, other_hits].map(|hits| Estimate::share(number(hits), games));
                let difference = both[0].minus(both[1]);
                if difference.low <= one - other && one - other <= difference.high {
                    holds += binomial(hits, games, one) * binomial(other_hits, games, other);
                }
            }
        }
        assert!((0.935..0.98).contains(&holds), "{one} {other}: {holds}");
    }
}

#[test]
fn the_interval_of_a_mean_holds_in_95_of_100() {
    let mut rng = Rng::with_seed(3);
    let mut holds = 0;
    for _ in 0..4_000 {
        // One in four is 2, and half of them are 0.
        let values: Vec<f64> = (0..100)
            .map(|_| [0.0, 0.0, 1.0, 2.0][rng.usize(0..4)])
            .collect();
        let mean = Estimate::mean(&values);
        holds += usize::from(mean.low <= 0.75 && 0.75 <= mean.high);
    }
    assert!((3_740..3_860).contains(&holds), "{holds}");
    assert_eq!(quartiles(&[4, 1, 3, 2, 5]), [2, 3, 4]);
}

#[test]
fn a_distance_from_a_half_is_never_below_nothing() {
    let estimate = |low: f64, value: f64, high: f64| Estimate {
        value,
        low,
        high,
        games: 1,
    };
    for (score, distance) in [
        (estimate(0.25, 0.375, 0.75), [0.0, 0.125, 0.25]),
        (estimate(0.25, 0.375, 0.4375), [0.0625, 0.125, 0.25]),
        (estimate(0.625, 0.75, 0.875), [0.125, 0.25, 0.375]),
    ] {
        let found = score.off_half();
        for (found, expected) in [found.low, found.value, found.high].iter().zip(distance) {
            assert!((found - expected).abs() < 1e-9, "{score:?}");
        }
    }
}
