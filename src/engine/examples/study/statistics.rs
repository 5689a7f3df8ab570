//! Shares and means with their 95 % intervals.

/// The 97.5 % quantile of the normal distribution.
const QUANTILE: f64 = 1.959_964;

/// A value with the ends of its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Estimate {
    pub(crate) value: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// The games that it comes from.
    pub(crate) games: usize,
}

impl Estimate {
    /// So many points of so many games, each of which gives 0 to 1: Wilson's interval. With draws, which
    /// vary less than wins and losses, it is wider than it would have to be.
    pub(crate) fn share(points: f64, games: usize) -> Estimate {
        if games == 0 {
            return Estimate {
                value: f64::NAN,
                low: 0.0,
                high: 1.0,
                games,
            };
        }
        let count = number(games);
        let (share, square) = (points / count, QUANTILE * QUANTILE);
        let middle = (share + square / (2.0 * count)) / (1.0 + square / count);
        let spread = (share * (1.0 - share) / count + square / (4.0 * count * count)).sqrt();
        let half = QUANTILE / (1.0 + square / count) * spread;
        Estimate {
            value: share,
            low: (middle - half).max(0.0),
            high: (middle + half).min(1.0),
            games,
        }
    }

    /// The mean of some values, by their own variance.
    pub(crate) fn mean(values: &[f64]) -> Estimate {
        let (games, count) = (values.len(), number(values.len()));
        let value = values.iter().sum::<f64>() / count;
        let squares = values.iter().map(|one| (one - value) * (one - value));
        let half = if games < 2 {
            f64::INFINITY
        } else {
            QUANTILE * (squares.sum::<f64>() / (count - 1.0) / count).sqrt()
        };
        Estimate {
            value,
            low: value - half,
            high: value + half,
            games,
        }
    }

    /// How much more it is than another of other games: Newcombe's interval of a difference, from the
    /// nearer ends of both.
    pub(crate) fn minus(self, other: Estimate) -> Estimate {
        let value = self.value - other.value;
        let far = |one: f64, other: f64| (one * one + other * other).sqrt();
        Estimate {
            value,
            low: value - far(self.value - self.low, other.high - other.value),
            high: value + far(self.high - self.value, other.value - other.low),
            games: self.games.min(other.games),
        }
    }

    /// How far it is from a half, which no side of the interval may say to be less than nothing.
    pub(crate) fn off_half(self) -> Estimate {
        let (low, high) = (self.low - 0.5, self.high - 0.5);
        let is_across = low < 0.0 && high > 0.0;
        Estimate {
            value: (self.value - 0.5).abs(),
            low: if is_across {
                0.0
            } else {
                low.abs().min(high.abs())
            },
            high: low.abs().max(high.abs()),
            games: self.games,
        }
    }

    pub(crate) fn is_above(self, bound: f64) -> bool {
        self.low > bound
    }

    pub(crate) fn is_below(self, bound: f64) -> bool {
        self.high < bound
    }
}

/// The lower quartile, the median and the upper quartile: the values at a quarter, at half and at three
/// quarters of the way through them in their order.
pub(crate) fn quartiles(values: &[usize]) -> [usize; 3] {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    [1, 2, 3].map(|quarter| {
        let last = sorted.len().saturating_sub(1);
        sorted.get(last * quarter / 4).copied().unwrap_or(0)
    })
}

/// A count as a number that can be divided.
pub(crate) fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
