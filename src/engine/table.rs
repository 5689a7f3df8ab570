//! The transposition table: what was found out about positions, by their keys.

/// What a value says of the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// It is at most this.
    Upper,
    /// It is at least this.
    Lower,
    /// It is this.
    Exact,
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    key: u64,
    /// The best ply, as [`crate::order::code`] has it; 0 if none is known.
    pub(crate) code: u32,
    pub(crate) value: i16,
    pub(crate) depth: i8,
    pub(crate) bound: Bound,
    /// The search that wrote it.
    age: u8,
}

/// Two places for each key: one for the deepest, one for the last.
pub(crate) struct Table {
    places: Vec<[Entry; 2]>,
    age: u8,
}

const NOTHING: Entry = Entry {
    key: 0,
    code: 0,
    value: 0,
    depth: -1,
    bound: Bound::Upper,
    age: 0,
};

impl Table {
    /// A table of at most so many mebibytes, and at least of some kilobytes.
    pub(crate) fn new(mebibytes: usize) -> Table {
        let wanted = mebibytes.saturating_mul(1 << 20) / size_of::<[Entry; 2]>();
        // A power of two, so that the lowest bits of a key are its place.
        let count = match wanted.checked_ilog2() {
            Some(bits) => 1 << bits.max(10),
            None => 1 << 10,
        };
        Table {
            places: vec![[NOTHING; 2]; count],
            age: 1,
        }
    }

    /// Forgets what earlier searches found: the same search then finds the same.
    pub(crate) fn begin(&mut self) {
        self.age = self.age.wrapping_add(1);
        if self.age == 0 {
            self.places.fill([NOTHING; 2]);
            self.age = 1;
        }
    }

    fn place(&self, key: u64) -> usize {
        // The table is never empty and its size a power of two.
        usize::try_from(key & (self.places.len() as u64 - 1)).unwrap_or(0)
    }

    pub(crate) fn get(&self, key: u64) -> Option<Entry> {
        let both = &self.places[self.place(key)];
        both.iter()
            .find(|entry| entry.key == key && entry.age == self.age)
            .copied()
    }

    pub(crate) fn put(&mut self, key: u64, found: (u32, i32, i32, Bound)) {
        let (mut code, value, depth, bound) = found;
        let place = self.place(key);
        let (age, both) = (self.age, &mut self.places[place]);
        let known = both.iter().position(|old| old.key == key && old.age == age);
        let depth = i8::try_from(depth).unwrap_or(i8::MAX);
        let at = known.unwrap_or_else(|| {
            let deepest = &both[0];
            usize::from(deepest.age == age && deepest.depth > depth)
        });
        if known.is_some() && code == 0 {
            code = both[at].code;
        }
        both[at] = Entry {
            key,
            code,
            value: i16::try_from(value).unwrap_or(0),
            depth,
            bound,
            age,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_found_until_the_next_search_begins() {
        let mut table = Table::new(0);
        assert_eq!(table.get(7), None);
        table.put(7, (1, -300, 5, Bound::Lower));
        table.put(7 + (1 << 40), (2, 20, 3, Bound::Exact));
        let found = table.get(7).expect("the deeper one");
        assert_eq!((found.code, found.value, found.depth), (1, -300, 5));
        assert_eq!(table.get(7 + (1 << 40)).map(|entry| entry.code), Some(2));
        // A ply that is known stays where a later search has none.
        table.put(7, (0, 10, 6, Bound::Upper));
        assert_eq!(
            table.get(7).map(|entry| (entry.code, entry.depth)),
            Some((1, 6))
        );
        for _ in 0..300 {
            table.begin();
            assert_eq!(table.get(7), None);
        }
    }
}
