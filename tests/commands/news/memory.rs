//! What a crowd of follow-ups takes of memory.

use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use crate::commands::news::attack::{config_at, house_at};
use crate::commands::news::stand_in::{self, Group};
use crate::servers::NOBODY;
use crate::support::Sandbox;
use crate::support::peak::peak;

/// The follow-ups.
const CROWD: u64 = 10_000;

/// What they may take beyond an empty group, in KiB.
const MORE: usize = 5 << 10;

/// Runs the program, and returns the most memory that it took, in KiB.
fn taken(house: &Sandbox, words: &[&str]) -> usize {
    let mut command = house.parapost(words.iter().copied()).command();
    let command = command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut most = 0;
    loop {
        most = most.max(peak(child.id()).unwrap_or_default());
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success(), "{words:?}: {status}");
            return most;
        }
        thread::sleep(Duration::from_millis(2));
    }
}

#[test]
#[ignore = "takes long"]
fn ten_thousand_follow_ups_take_no_more_memory_than_none() {
    let (house, cited) = house_at(NOBODY);
    let article: stand_in::Article = Arc::new(move |number: u64| {
        let text = format!("I would play n>{}.\n", number % 9).repeat(40);
        format!(
            "From: Kim <kim{number}@example.net>\nSubject: Re: a match\nMessage-ID: <{number}@reader.test>\nReferences: {cited}\n\n{text}"
        )
    });
    let full = stand_in::serve(1..=CROWD, Arc::clone(&article));
    // As a server tells of an empty group.
    let empty = Arc::new(Group::new(1..=1, article));
    empty.high.store(0, Ordering::SeqCst);
    let empty = stand_in::serve_group(&empty);
    for words in [
        ["fetch", "--news", "--back", "10000"].as_slice(),
        &["news", "comments", "demo", "--back", "10000"],
        &["news", "comments", "demo", "--back", "10000", "--json"],
    ] {
        let [least, most] = [empty, full].map(|port| {
            house.write("white.toml", config_at(port));
            taken(&house, words)
        });
        println!("{words:?}: {least} KiB, {most} KiB");
        assert!(
            least > 0 && most <= least + MORE,
            "{words:?}: {least} KiB, {most} KiB"
        );
    }
}
