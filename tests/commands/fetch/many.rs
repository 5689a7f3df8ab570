//! A folder with many messages, and a run that is killed in the middle.

use std::process::Stdio;
use std::time::{Duration, Instant};
use std::{fs, thread};

use super::{Scene, begin, letter, place, plays};

/// How many messages there are.
fn count() -> usize {
    let count = std::env::var("PARAPOST_MESSAGES").ok();
    count.map_or(3000, |count| count.parse().unwrap())
}

/// The longest time in which they are read, whatever else the machine does.
const LONGEST: Duration = Duration::from_mins(5);

/// With `PARAPOST_MESSAGES` set there are so many.
#[test]
#[ignore = "needs Dovecot"]
fn a_large_folder_is_read_in_portions_wherever_a_run_is_killed() {
    let scene = Scene::new();
    let ids = ["a", "b", "c", "d", "e", "f"];
    for id in ids {
        begin(&scene.house, id);
    }
    let count = count();
    let part = count / ids.len();
    let mut talk = 0;
    for number in 0..count {
        let message = match (number % part, ids.get(number / part)) {
            (0, Some(id)) => {
                let letter = plays("white", &format!("1. P>e3\n\nLetter {id}."));
                letter.replace("Subject: ", &format!("Subject: [{id}] "))
            }
            _ if number % 50 == 1 => {
                talk += 1;
                plays("black", &format!("Talk {number}."))
            }
            _ => letter("mallory@example.org", "news", &format!("News {number}.")),
        };
        scene.deliver(&message);
    }
    let handled = || {
        let folder = scene.house.path("games/imap");
        if !fs::read_dir(folder).is_ok_and(|mut files| {
            files.any(|file| {
                file.unwrap()
                    .path()
                    .extension()
                    .is_some_and(|end| end == "txt")
            })
        }) {
            return 0;
        }
        let text = fs::read_to_string(place(&scene.house)).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("Handled: "));
        line.map_or(0, |uid| uid.parse::<usize>().unwrap())
    };
    let begun = Instant::now();
    let mut reached = 0;
    for part in 1..4 {
        let mut command = scene.fetch(&[]).command();
        let command = command.stdin(Stdio::null()).stdout(Stdio::null());
        let mut run = command.stderr(Stdio::null()).spawn().unwrap();
        let target = count * part / 4;
        while handled() < target && run.try_wait().unwrap().is_none() {
            assert!(begun.elapsed() < LONGEST, "{}", handled());
            thread::sleep(Duration::from_millis(5));
        }
        run.kill().unwrap();
        run.wait().unwrap();
        assert!((target..count).contains(&handled()), "{}", handled());
        assert!(handled() >= reached);
        reached = handled();
    }
    let run = scene.fetch(&[]).any_stdout().any_stderr().run();
    let took = begun.elapsed();
    eprintln!("{count} messages: {took:?}");
    assert!(took < LONGEST, "{took:?}");
    assert_eq!(handled(), count);
    for id in ids {
        let game = scene.house.read(format!("games/{id}.txt"));
        assert_eq!(game.matches(" move ").count(), 1, "{game}");
    }
    let letters = format!("{talk} letters of players");
    assert!(run.stderr.contains(&letters), "{run:?}");
    scene.fetch(&[]).run();
}
