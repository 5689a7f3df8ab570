//! Where the move stands in a reply.

use fastrand::Rng;
use parapost::notation::diagram::Diagram;
use parapost::notation::move_list::MoveList;
use parapost::rules::Color;

use super::Reply;
use super::scene::Scene;

/// Puts the move into a reply; says whether it could stand there.
pub(crate) type Place = fn(&Scene, &mut Reply, &mut Rng) -> bool;

pub(crate) const PLACES: &[(&str, Place)] = &[
    ("above", above),
    ("below", below),
    ("above with its number", above_with_number),
    ("below with its number", below_with_number),
    ("above among talk", among_talk),
    ("typed into the list", typed_in),
    ("typed into the list with its number", typed_in_with_number),
    ("a list above", list_above),
    ("a list below", list_below),
    ("a diagram and a list above", diagram_above),
    ("a diagram and the move below", diagram_below),
];

fn numbered(scene: &Scene, rng: &mut Rng) -> String {
    let blank = if rng.bool() { " " } else { "" };
    format!("{}{blank}{}\n", scene.number(), scene.lone())
}

fn above(scene: &Scene, reply: &mut Reply, _: &mut Rng) -> bool {
    reply.above = scene.lone() + "\n";
    true
}

fn below(scene: &Scene, reply: &mut Reply, _: &mut Rng) -> bool {
    reply.below = scene.lone() + "\n";
    true
}

fn above_with_number(scene: &Scene, reply: &mut Reply, rng: &mut Rng) -> bool {
    reply.above = numbered(scene, rng);
    true
}

fn below_with_number(scene: &Scene, reply: &mut Reply, rng: &mut Rng) -> bool {
    reply.below = numbered(scene, rng);
    true
}

fn among_talk(scene: &Scene, reply: &mut Reply, _: &mut Rng) -> bool {
    reply.above = format!(
        "Hello,\n\nthat was a good one. Here is what I do about it:\n\n{}\n\nGreetings from the seaside!\n",
        scene.lone()
    );
    true
}

/// The list in the mail, and where it ends.
fn list_end(scene: &Scene, reply: &Reply) -> Option<usize> {
    let list = MoveList::of(scene.game.record()).to_string();
    let list = list.trim_end();
    let start = reply.mail.find(list).filter(|_| !list.is_empty())?;
    Some(start + list.len())
}

fn typed_in(scene: &Scene, reply: &mut Reply, rng: &mut Rng) -> bool {
    let Some(end) = list_end(scene, reply) else {
        return false;
    };
    let text = match scene.side {
        Color::White => format!("\n{} {}", scene.number(), scene.text()),
        Color::Black => format!("{}{}", " ".repeat(rng.usize(1..6)), scene.text()),
    };
    reply.mail.insert_str(end, &text);
    true
}

fn typed_in_with_number(scene: &Scene, reply: &mut Reply, rng: &mut Rng) -> bool {
    let Some(end) = list_end(scene, reply) else {
        return false;
    };
    let before = if scene.side == Color::White || rng.bool() {
        "\n"
    } else {
        "  "
    };
    let text = format!("{before}{} {}", scene.number(), scene.text());
    reply.mail.insert_str(end, &text);
    true
}

fn list_above(scene: &Scene, reply: &mut Reply, _: &mut Rng) -> bool {
    reply.above = MoveList::of(&scene.after).to_string();
    true
}

fn list_below(scene: &Scene, reply: &mut Reply, _: &mut Rng) -> bool {
    reply.below = MoveList::of(&scene.after).to_string();
    true
}

fn diagram_above(scene: &Scene, reply: &mut Reply, _: &mut Rng) -> bool {
    reply.above = format!(
        "{}\n{}",
        Diagram::of(scene.after.position()),
        MoveList::of(&scene.after)
    );
    true
}

fn diagram_below(scene: &Scene, reply: &mut Reply, rng: &mut Rng) -> bool {
    reply.below = format!(
        "{}\n{}",
        Diagram::of(scene.after.position()),
        numbered(scene, rng)
    );
    true
}
