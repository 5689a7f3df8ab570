//! The state files and their folder.

mod away;
#[cfg(feature = "postgres")]
mod claims;
#[cfg(feature = "postgres")]
mod cluster;
pub(crate) mod damage;
pub(crate) mod damage_samples;
mod file;
mod folder;
mod index;
mod length;
pub(crate) mod memory;
mod over_both;
#[cfg(feature = "postgres")]
mod parts;
#[cfg(feature = "postgres")]
mod postgres;
mod repair;
#[cfg(feature = "postgres")]
mod server;
#[cfg(feature = "postgres")]
pub(crate) mod superseded;

/// Somebody whose program has no databases is told how to get one that has.
#[cfg(not(feature = "postgres"))]
#[test]
fn a_configured_database_needs_the_feature() {
    let house = crate::commands::play::house();
    let config = house.read("anna.toml")
        + "[store]\nkind = \"postgres\"\nhosts = \"db.example.org\"\ndatabase = \"club\"\nuser = \"chess\"\n";
    house.write("anna.toml", config);
    for words in [
        &["list"][..],
        &["store", "setup"],
        &["move", "demo", "P>e3"],
    ] {
        house
            .parapost(crate::commands::play::of("anna", words))
            .status(1)
            .stderr_contains("'cargo install --path . --locked --features postgres'")
            .run();
    }
}
