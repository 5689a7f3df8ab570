//! The comparison of another record of a match with the one here, in words.

use crate::matches::r#match::Match;
use crate::notation::follow::{self, DivergenceKind, FollowedList};
use crate::notation::move_list::numbered;
use crate::notation::moves::Manner;
use crate::notation::reader::{ParsedText, PartKind};
use crate::plural::half_moves;
use crate::quoting::id_line::{self, IdLine};
use crate::rules::{Position, Variant};

/// The comparison of another record of a match with the one here.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// The differences, the first one first.
    pub differs: Vec<String>,
    /// The points on which the records agree.
    pub agrees: Vec<String>,
}

impl Comparison {
    fn differ(&mut self, what: impl Into<String>) {
        self.differs.push(what.into());
    }

    pub(super) fn agree(&mut self, what: impl Into<String>) {
        self.agrees.push(what.into());
    }

    /// Notes a difference in the game or the options. It goes first, because other
    /// differences may follow from it.
    pub(super) fn settings(&mut self, here: &Variant, there: &Variant) {
        let (rules, options) = (
            [here, there].map(|variant| variant.game().id),
            [here, there].map(|variant| match variant.options() {
                [] => "none".to_owned(),
                options => options.join(", "),
            }),
        );
        if rules[0] != rules[1] {
            let text = format!("the rules differ: here {}, there {}", rules[0], rules[1]);
            self.differs.insert(0, text);
        } else if options[0] != options[1] {
            let text = format!(
                "the options differ: here {}, there {}",
                options[0], options[1]
            );
            self.differs.insert(0, text);
        }
    }

    /// Notes the numbers of half-moves of two records that agree.
    fn lengths(&mut self, here: usize, there: usize) {
        let (h, t) = (half_moves(here), half_moves(there));
        self.agree(match here.cmp(&there) {
            std::cmp::Ordering::Equal => format!("all {h}"),
            std::cmp::Ordering::Greater => format!("its {t}, the beginning of the {h} here"),
            std::cmp::Ordering::Less => format!("the {h} here, the beginning of its {t}"),
        });
    }
}

pub(super) fn of_match(here: &Match, there: &Match) -> Comparison {
    let mut comparison = Comparison::default();
    let steps = [here, there].map(|game| game.record().steps());
    let parting = steps[0]
        .iter()
        .zip(steps[1])
        .position(|(here, there)| here.text != there.text);
    if let Some(ply) = parting {
        let [here, there] = steps.map(|steps| numbered(ply, &steps[ply].text));
        comparison.differ(format!(
            "half-move {} differs: here {here}, there {there}",
            ply + 1
        ));
    } else {
        comparison.lengths(steps[0].len(), steps[1].len());
        if here.hash() == there.hash() {
            comparison.agree("the hash");
        }
    }
    // A match that has ended there may still go on here.
    match [here, there].map(Match::ending) {
        [Some(one), Some(other)] if one != other => {
            comparison.differ(format!("the result differs: here {one}, there {other}"));
        }
        [None, Some(other)] if parting.is_none() => {
            comparison.agree(format!("there the result is {other}"));
        }
        [Some(one), None] if parting.is_none() => {
            comparison.agree(format!("the result {one} is not there yet"));
        }
        _ => {}
    }
    comparison.settings(here.variant(), there.variant());
    if here.id() != there.id() {
        let text = format!("the ids differ: here {}, there {}", here.id(), there.id());
        comparison.differs.insert(0, text);
    }
    comparison
}

pub(super) fn of_text(
    game: &Match,
    text: &ParsedText<'_>,
    is_list: impl Fn(Manner) -> bool,
) -> Comparison {
    let mut comparison = Comparison::default();
    let id_lines = id_line::id_lines(&text.lines);
    if let Some(other) = id_lines.first()
        && id_lines.iter().all(|line| line.id != *game.id())
    {
        comparison.differ(format!(
            "the ids differ: here {}, there {}",
            game.id(),
            other.id
        ));
    }
    let told = follow::follow_lists(game.record(), text, is_list);
    list(&mut comparison, game, &told);
    if told.divergence.is_none() {
        diagrams(&mut comparison, text, &told);
    }
    hashes(&mut comparison, game, &id_lines, &told);
    if comparison == Comparison::default() {
        comparison.differ("there is no list of moves, no diagram and no hash of this match in it");
    }
    comparison
}

fn list(comparison: &mut Comparison, game: &Match, told: &FollowedList) {
    let steps = game.record().steps();
    let Some(at) = &told.divergence else {
        if let Some(reach) = told.reach {
            comparison.lengths(steps.len(), reach);
        }
        return;
    };
    let there = numbered(at.ply, &at.there);
    let number = at.ply + 1;
    let line = at.line;
    comparison.differ(match (steps.get(at.ply), &at.kind) {
        (Some(step), _) => format!(
            "half-move {number} differs: here {}, there {there} (line {line})",
            numbered(at.ply, &step.text)
        ),
        (None, DivergenceKind::Other) => format!(
            "half-move {number}, which is not here, is told in two ways, one of them {there} (line {line})"
        ),
        (None, why) => format!(
            "half-move {number}, which is not here, cannot be played: there {there} (line {line}): {why}"
        ),
    });
}

fn diagrams(comparison: &mut Comparison, text: &ParsedText<'_>, told: &FollowedList) {
    let positions: Vec<&Position> = (0..=told.record.steps().len())
        .filter_map(|plies| told.record.at(plies))
        .collect();
    let mut good = 0;
    for part in &text.parts {
        let line = text.lines[part.lines.start].number;
        match &part.kind {
            PartKind::Diagram(drawn) => {
                let diagram = &drawn.diagram;
                if positions.iter().any(|position| diagram.shows(position)) {
                    good += 1;
                    continue;
                }
                let nearest = positions
                    .iter()
                    .enumerate()
                    .rev()
                    .min_by_key(|(_, position)| diagram.distance(position));
                let how = nearest.and_then(|(plies, position)| {
                    let (text, _) = diagram.difference(position)?;
                    Some(format!(": after {} {text}", half_moves(plies)))
                });
                comparison.differ(format!(
                    "the diagram in line {line} is of no position here{}",
                    how.unwrap_or_default()
                ));
            }
            PartKind::BadDiagram(error) => {
                comparison.agree(format!(
                    "(the diagram in line {line} cannot be read: {error})"
                ));
            }
            _ => {}
        }
    }
    match good {
        0 => {}
        1 => comparison.agree("the diagram"),
        _ => comparison.agree(format!("{good} diagrams")),
    }
}

fn hashes(comparison: &mut Comparison, game: &Match, id_lines: &[IdLine], told: &FollowedList) {
    let mut seen: Vec<(usize, &str)> = Vec::new();
    for line in id_lines.iter().filter(|line| line.id == *game.id()) {
        let Some(there) = line.hash.as_deref() else {
            continue;
        };
        let parts = told.divergence.as_ref().map(|at| at.ply);
        let steps = told.record.steps();
        if line.plies > steps.len()
            || parts.is_some_and(|ply| ply < line.plies)
            || seen.contains(&(line.plies, there))
        {
            continue;
        }
        seen.push((line.plies, there));
        let here = game.hash_of_moves(steps[..line.plies].iter().map(|step| step.text.as_str()));
        let after = half_moves(line.plies);
        if here == there {
            comparison.agree(format!("the hash after {after}"));
        } else if told.reach.is_some_and(|reach| reach >= line.plies) {
            comparison.differ(format!(
                "after {after} the hash is {here} here, {there} there, and the moves are the same: the rules or options differ"
            ));
        } else {
            comparison.differ(format!(
                "after {after} the hash is {here} here, {there} there; it does not show where the records part"
            ));
        }
    }
}
