//! All that can be played.

use parapost_rules::Variant;

/// Every variant: each game with each choice of its options.
pub(crate) fn variants() -> Vec<Variant> {
    parapost_rules::games::ALL
        .iter()
        .flat_map(|game| {
            let names: Vec<&str> = game.options.iter().map(|option| option.name).collect();
            (0..1_u32 << names.len()).filter_map(move |choice| {
                let chosen = |at: &usize| choice >> at & 1 == 1;
                let options: Vec<&str> = (0..names.len())
                    .filter(chosen)
                    .map(|at| names[at])
                    .collect();
                Variant::new(game, &options).ok()
            })
        })
        .collect()
}
