//! A newsgroup on a server: its numbers, the overview of its articles, and the articles.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::limits::{
    NEWS_ARTICLE, NEWS_FIRST, NEWS_HEADER_LINES, NEWS_LINES, NEWS_NUMBERS, NEWS_PORTION,
};
use crate::message_id::MessageId;
use crate::nntp::connection::{NntpConnection, NntpError};
use crate::nntp::newsgroup::Newsgroup;
use crate::wire::Stream;

/// The time limit of an answer of one line.
const ANSWER: Duration = Duration::from_mins(2);

/// The time limit of an overview or an article.
const BLOCK: Duration = Duration::from_mins(5);

/// The longest time of one reading of a group, however much is left.
const READING: Duration = Duration::from_mins(30);

/// The numbers of the articles in a group. A server only estimates how many there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GroupMarks {
    /// The lowest number of an article.
    pub low: u64,
    /// The highest one. It is below the lowest if the group is empty.
    pub high: u64,
}

impl GroupMarks {
    /// Returns how many articles the group has at the most. A server may say any numbers.
    #[must_use]
    pub fn most_articles(self) -> u64 {
        let above = self.high.saturating_add(1);
        above.saturating_sub(self.low.max(1))
    }
}

/// An article as the overview of its group tells of it.
///
/// A server can tell of an article that there is none of, or that is another one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Overview {
    /// Its number in the group.
    pub number: u64,
    /// Its subject.
    pub subject: String,
    /// Its writer.
    pub from: String,
    /// Its Message-ID, if that is one.
    pub id: Option<MessageId>,
    /// The articles that it follows, the first one first.
    pub references: Vec<MessageId>,
}

/// An article that was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FetchedArticle {
    /// Its bytes, with CR LF line ends.
    Article(Vec<u8>),
    /// It is longer than is read.
    TooLong,
    /// It is not there any more.
    Gone,
}

/// The outcome of one reading of a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GroupReading {
    /// The number of the last article that was looked at: the place of the next reading. None
    /// before the first.
    pub place: Option<u64>,
    /// The number of the last article that an overview told of; of none, the one below the first
    /// number that was looked at. A server's overview may lag behind the group's high mark.
    pub seen: Option<u64>,
    /// The numbers above the earlier place that had gone before they were looked at.
    pub expired: u64,
    /// True if the group's numbers were given anew since the earlier place.
    pub is_renumbered: bool,
    /// True if there is more above the place.
    pub has_more: bool,
    /// True if it began without a place, and there is more below its beginning.
    pub begins_below: bool,
}

/// The way to an overview.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Over,
    Xover,
    Head,
}

impl<S: Stream> NntpConnection<S> {
    /// Goes to a group.
    ///
    /// # Errors
    ///
    /// If there is no such group or the command fails.
    pub fn group(&mut self, group: &Newsgroup) -> Result<GroupMarks, NntpError> {
        let reply = match self.say(&format!("GROUP {group}"), &[211], ANSWER) {
            Err(NntpError::Refused(reply)) if reply.code == 411 => {
                return Err(NntpError::Unfit(format!("it has no group {group}")));
            }
            said => said?,
        };
        let mut words = reply.text.split_ascii_whitespace().skip(1);
        let mut number = || words.next()?.parse().ok();
        match (number(), number()) {
            (Some(low), Some(high)) => Ok(GroupMarks { low, high }),
            _ => Err(NntpError::Malformed("a group without numbers")),
        }
    }

    /// Returns true if the server has an article with this id.
    ///
    /// # Errors
    ///
    /// If the server does not tell.
    pub fn has_article(&mut self, id: &MessageId) -> Result<bool, NntpError> {
        match self.say(&format!("STAT {id}"), &[223], ANSWER) {
            Ok(_) => Ok(true),
            Err(NntpError::Refused(reply)) if matches!(reply.code, 423 | 430) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Fetches an article of the present group. The connection has ended if the article was too
    /// long by far, which [`NntpConnection::is_in_step`] tells.
    ///
    /// # Errors
    ///
    /// If the command fails.
    pub fn article(&mut self, number: u64) -> Result<FetchedArticle, NntpError> {
        match self.say(&format!("ARTICLE {number}"), &[220], BLOCK) {
            Err(NntpError::Refused(reply)) if matches!(reply.code, 420 | 423 | 430) => {
                return Ok(FetchedArticle::Gone);
            }
            said => said?,
        };
        let mut bytes = Vec::new();
        let mut is_too_long = false;
        let read = self.block(NEWS_LINES, |line| {
            is_too_long |= bytes.len() + line.len() + 2 > NEWS_ARTICLE;
            if is_too_long {
                bytes = Vec::new();
            } else {
                bytes.extend_from_slice(line);
                bytes.extend_from_slice(b"\r\n");
            }
            Ok(())
        });
        match read {
            Ok(()) if is_too_long => Ok(FetchedArticle::TooLong),
            Ok(()) => Ok(FetchedArticle::Article(bytes)),
            Err(NntpError::TooLong(_)) => Ok(FetchedArticle::TooLong),
            Err(error) => Err(error),
        }
    }

    /// Reads the overview of the articles with these numbers in the present group, at most
    /// [`NEWS_PORTION`] of them, ascending. `each` gets the ones that there are.
    fn overview(
        &mut self,
        way: &mut Way,
        (first, last): (u64, u64),
        mut each: impl FnMut(Overview),
    ) -> Result<(), NntpError> {
        while *way != Way::Head {
            let (word, next) = match way {
                Way::Over => ("OVER", Way::Xover),
                Way::Xover | Way::Head => ("XOVER", Way::Head),
            };
            match self.say(&format!("{word} {first}-{last}"), &[224], BLOCK) {
                Ok(_) => return self.overview_lines((first, last), each),
                Err(NntpError::Refused(reply)) => match reply.code {
                    // There is no article with any of these numbers.
                    420 | 423 => return Ok(()),
                    500..=503 => *way = next,
                    _ => return Err(NntpError::Refused(reply)),
                },
                Err(error) => return Err(error),
            }
        }
        for number in first..=last {
            if let Some(overview) = self.head(number)? {
                each(overview);
            }
        }
        Ok(())
    }

    fn overview_lines(
        &mut self,
        (first, last): (u64, u64),
        mut each: impl FnMut(Overview),
    ) -> Result<(), NntpError> {
        let mut next = first;
        let most = usize::try_from(NEWS_PORTION).unwrap_or(usize::MAX);
        self.block(most, |line| {
            let overview = Overview::read(line)
                .filter(|overview| (next..=last).contains(&overview.number))
                .ok_or(NntpError::Malformed(
                    "an overview of articles that it was not asked for",
                ))?;
            // Beyond the last number nothing more can follow.
            next = overview.number.saturating_add(1);
            each(overview);
            Ok(())
        })
    }

    /// Reads the header of an article in place of its overview; none if it is not there.
    fn head(&mut self, number: u64) -> Result<Option<Overview>, NntpError> {
        match self.say(&format!("HEAD {number}"), &[221], ANSWER) {
            Err(NntpError::Refused(reply)) if matches!(reply.code, 420 | 423 | 430) => {
                return Ok(None);
            }
            said => said?,
        };
        let mut overview = Overview {
            number,
            ..Overview::default()
        };
        let mut field = String::new();
        self.block(NEWS_HEADER_LINES, |line| {
            let line = String::from_utf8_lossy(line);
            if line.starts_with([' ', '\t']) {
                field.push_str(&line);
            } else {
                overview.learn(&field);
                field = line.into_owned();
            }
            Ok(())
        })?;
        overview.learn(&field);
        Ok(Some(overview))
    }

    /// Reads what is new in a group above the place of a reading, the number of the last article
    /// that was looked at. Without one, it begins at most [`NEWS_FIRST`] numbers below the high
    /// mark. The reading notes how far it has come, also where it fails.
    ///
    /// `is_wanted` is asked about each overview, and `each` gets the articles of those that are. No
    /// article is read twice but where the numbers are given anew.
    ///
    /// A reading ends at [`NEWS_NUMBERS`] numbers or after half an hour, and the next one goes on.
    ///
    /// # Errors
    ///
    /// If the server cannot be read any further. What `each` was given has been read.
    pub fn read_group(
        &mut self,
        group: &Newsgroup,
        reading: &mut GroupReading,
        mut is_wanted: impl FnMut(&Overview) -> bool,
        mut each: impl FnMut(u64, FetchedArticle),
    ) -> Result<(), NntpError> {
        let mut reader = GroupReader::begin(self, group, reading.place, None)?;
        let read = loop {
            match reader.next(self, &mut is_wanted) {
                Ok(Some((number, article))) => each(number, article),
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        *reading = reader.reading;
        read
    }
}

/// A reading of a group, one wanted article at a time.
pub struct GroupReader {
    /// How far it has come.
    pub reading: GroupReading,
    way: Way,
    /// The first number of the next portion; none behind the last one.
    next: Option<u64>,
    /// The last number that this reading looks at, and that of the group.
    most: u64,
    high: u64,
    end: Instant,
    /// The last number of the portion at hand.
    portion: Option<u64>,
    /// The numbers of its articles that are wanted and were not fetched yet.
    wanted: VecDeque<u64>,
}

impl GroupReader {
    /// Begins to read what is new in a group above a place, as [`NntpConnection::read_group`]
    /// does. With `back` it begins so many numbers below the high mark, whatever the place.
    ///
    /// # Errors
    ///
    /// If there is no such group or the command fails.
    pub fn begin<S: Stream>(
        connection: &mut NntpConnection<S>,
        group: &Newsgroup,
        place: Option<u64>,
        back: Option<u64>,
    ) -> Result<GroupReader, NntpError> {
        let marks = connection.group(group)?;
        let mut reading = GroupReading {
            place,
            ..GroupReading::default()
        };
        let unread = reading.unread(marks, back);
        let (first, high) = unread.unzip();
        let most = first.unwrap_or(0).saturating_add(NEWS_NUMBERS - 1);
        let high = high.unwrap_or(0);
        reading.has_more = first.is_some();
        reading.seen = first.map(|first| first - 1);
        Ok(GroupReader {
            reading,
            way: Way::Over,
            next: first,
            most: high.min(most),
            high,
            end: Instant::now() + READING,
            portion: None,
            wanted: VecDeque::new(),
        })
    }

    /// Returns the next article whose overview `is_wanted`; none at the end of the reading.
    ///
    /// # Errors
    ///
    /// If the server cannot be read any further.
    pub fn next<S: Stream>(
        &mut self,
        connection: &mut NntpConnection<S>,
        is_wanted: &mut dyn FnMut(&Overview) -> bool,
    ) -> Result<Option<(u64, FetchedArticle)>, NntpError> {
        loop {
            if !connection.is_in_step() {
                return Err(NntpError::TooLong("an article without an end"));
            }
            if let Some(number) = self.wanted.front().copied() {
                if Instant::now() >= self.end {
                    return Ok(None);
                }
                let article = connection.article(number)?;
                self.wanted.pop_front();
                self.reading.place = Some(number);
                return Ok(Some((number, article)));
            }
            if let Some(last) = self.portion.take() {
                self.reading.place = Some(last);
                self.reading.has_more = last != self.high;
                self.next = (last < self.most).then(|| last + 1);
            }
            let Some(first) = self.next.filter(|_| Instant::now() < self.end) else {
                return Ok(None);
            };
            let last = self.most.min(first.saturating_add(NEWS_PORTION - 1));
            let (wanted, seen) = (&mut self.wanted, &mut self.reading.seen);
            connection.overview(&mut self.way, (first, last), |overview| {
                *seen = Some(overview.number);
                if is_wanted(&overview) {
                    wanted.push_back(overview.number);
                }
            })?;
            self.portion = Some(last);
        }
    }
}

impl GroupReading {
    /// Returns the first number above the place and the last one of the group, if there are any,
    /// and notes what became of those between.
    fn unread(
        &mut self,
        GroupMarks { low, high }: GroupMarks,
        back: Option<u64>,
    ) -> Option<(u64, u64)> {
        // A server may say 0 of an empty group, whose numbers go on where they were.
        if high == 0 {
            return None;
        }
        // Numbers only grow, unless the server gives them anew.
        let known = self.place.filter(|place| *place <= high);
        self.is_renumbered = self.place != known;
        let below = |numbers: u64| high.saturating_sub(numbers.saturating_sub(1));
        let start = match (back, known) {
            (Some(back), _) => below(back),
            (None, Some(place)) => place.saturating_add(1),
            (None, None) => below(NEWS_FIRST),
        };
        let first = start.max(low).max(1);
        if first > high {
            self.place = Some(known.unwrap_or(high));
            return None;
        }
        if back.is_none() {
            self.expired = known.map_or(0, |_| first - start);
        }
        self.begins_below = known.is_none() && first > low;
        Some((first, high))
    }
}

impl Overview {
    /// Reads a line of an overview; none without a number.
    fn read(line: &[u8]) -> Option<Overview> {
        let line = String::from_utf8_lossy(line);
        let mut fields = line.split('\t');
        let number = fields.next()?.trim().parse().ok()?;
        let mut text = || fields.next().unwrap_or_default().to_owned();
        let (subject, from, _date, id, references) = (text(), text(), text(), text(), text());
        Some(Overview {
            number,
            subject,
            from,
            id: id.parse().ok(),
            references: ids(&references),
        })
    }

    /// Notes what a field of a header says.
    fn learn(&mut self, field: &str) {
        let Some((name, value)) = field.split_once(':') else {
            return;
        };
        let value = value.trim();
        match name.to_ascii_lowercase().as_str() {
            "subject" => value.clone_into(&mut self.subject),
            "from" => value.clone_into(&mut self.from),
            "message-id" => self.id = value.parse().ok(),
            "references" => self.references = ids(value),
            _ => {}
        }
    }
}

/// Reads the ids in a field.
fn ids(text: &str) -> Vec<MessageId> {
    let words = text.split_ascii_whitespace();
    words.filter_map(|word| word.parse().ok()).collect()
}
