//! Reads when the tracks of a file have packets. What a file declares about its length may be wrong.

use std::path::Path;

use super::probe::FORMATS;
use crate::{Result, tool::Tools};

/// The requested entries. ffprobe prints them in this order.
const ENTRIES: &str = "packet=stream_index,pts_time,dts_time,duration_time,flags:packet_side_data=side_data_type";
/// Step of a clock in seconds above which the clock was reset, in containers whose clock may be. This is ffmpeg's `-dts_delta_threshold`.
const RESET: f64 = 10.0;
/// Step backwards in seconds that means the same, because packets are nearly in order.
const BACK: f64 = 0.1;

/// When a track has packets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Packets {
    /// Time of the first visible packet in seconds, by the clock of the file.
    pub start: f64,
    /// End of the last visible packet in seconds.
    pub end: f64,
    /// Seconds of all packets, including hidden ones.
    pub whole: f64,
    /// Number of visible packets.
    pub count: u32,
    /// Maximum distance between two key frames in seconds, also from the start and to the end.
    pub key_distance: f64,
    /// Whether there are hidden packets. Films trimmed on phones retain the removed parts and mark them as hidden.
    pub has_hidden: bool,
    /// Whether the decoder is set up anew in between.
    pub has_changes: bool,
}

/// Returns the packets of the file's first `tracks` tracks. A track without visible packets has none. `is_resettable` tells whether the
/// clock of the container may be reset.
pub async fn read(tools: &Tools, file: &Path, tracks: usize, is_resettable: bool) -> Result<Vec<Option<Packets>>> {
    let mut clocks = vec![Clock::new(is_resettable); tracks];
    let args = ["-format_whitelist", FORMATS, "-show_entries", ENTRIES, "-of", "csv=p=0"];
    let on_line = |line: &str| {
        let mut parts = line.splitn(6, ',');
        let index = parts.next().and_then(|index| index.parse::<usize>().ok());
        if let Some(clock) = index.and_then(|index| clocks.get_mut(index)) {
            clock.add(&Packet::of(parts));
        }
    };
    tools.ffprobe_lines(file, args, on_line).await?;
    Ok(clocks.into_iter().map(Clock::packets).collect())
}

struct Packet<'a> {
    shown: Option<f64>,
    decoded: Option<f64>,
    seconds: f64,
    flags: &'a str,
    side_data: &'a str,
}

impl<'a> Packet<'a> {
    fn of(mut parts: impl Iterator<Item = &'a str>) -> Self {
        let mut next = || parts.next().unwrap_or_default();
        let seconds = |text: &str| text.parse::<f64>().ok().filter(|seconds| seconds.is_finite());
        let (shown, decoded) = (seconds(next()), seconds(next()));
        Self { shown, decoded, seconds: seconds(next()).unwrap_or(0.0), flags: next(), side_data: next() }
    }
}

/// The packets of a track so far.
#[derive(Clone)]
struct Clock {
    is_resettable: bool,
    /// What to add to the file's times since the last reset.
    offset: f64,
    /// When the previous packet's decoding ends, with the offset.
    next: Option<f64>,
    /// Start and end of all packets.
    whole: Option<(f64, f64)>,
    last_key: Option<f64>,
    visible: Option<Packets>,
    has_hidden: bool,
    has_changes: bool,
}

impl Clock {
    const fn new(is_resettable: bool) -> Self {
        Self {
            is_resettable,
            offset: 0.0,
            next: None,
            whole: None,
            last_key: None,
            visible: None,
            has_hidden: false,
            has_changes: false,
        }
    }

    fn add(&mut self, packet: &Packet) {
        // AVI has no presentation times, and the times of some frames are unknown.
        let Some(decoded) = packet.decoded.or(packet.shown) else { return };
        if let Some(next) = self.next.filter(|_| self.is_resettable) {
            let step = decoded + self.offset - next;
            if !(-BACK..RESET).contains(&step) {
                self.offset -= step;
            }
        }
        self.next = Some(decoded + self.offset + packet.seconds);
        let from = packet.shown.unwrap_or(decoded) + self.offset;
        let to = from + packet.seconds;
        let (first, last) = self.whole.unwrap_or((from, to));
        self.has_changes |= first < from && packet.side_data.contains("New Extradata");
        self.whole = Some((first.min(from), last.max(to)));
        if packet.flags.contains('D') {
            self.has_hidden = true;
        } else {
            self.show(from, to, packet.flags.contains('K'));
        }
    }

    fn show(&mut self, from: f64, to: f64, is_key: bool) {
        let visible = self.visible.get_or_insert(Packets {
            start: from,
            end: to,
            whole: 0.0,
            count: 0,
            key_distance: 0.0,
            has_hidden: false,
            has_changes: false,
        });
        visible.start = visible.start.min(from);
        visible.end = visible.end.max(to);
        visible.count = visible.count.saturating_add(1);
        if is_key {
            let last = self.last_key.replace(from).unwrap_or(visible.start);
            visible.key_distance = visible.key_distance.max(from - last);
        }
    }

    fn packets(self) -> Option<Packets> {
        let (visible, (first, last)) = self.visible.zip(self.whole)?;
        let since_key = visible.end - self.last_key.unwrap_or(visible.start);
        Some(Packets {
            whole: last - first,
            key_distance: visible.key_distance.max(since_key),
            has_hidden: self.has_hidden,
            has_changes: self.has_changes,
            ..visible
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packets(is_resettable: bool, lines: &[&str]) -> Packets {
        let mut clock = Clock::new(is_resettable);
        lines.iter().for_each(|line| clock.add(&Packet::of(line.splitn(5, ','))));
        clock.packets().unwrap()
    }

    #[test]
    fn hidden_packets_are_outside_the_span() {
        let lines = ["-1,-1,1,KD,Skip Samples", "0,0,1,K_", "2,1,1,__", "1,2,1,K_,New Extradata"];
        let found = packets(false, &lines);
        assert_eq!((found.start, found.end, found.whole, found.count), (0.0, 3.0, 4.0, 3));
        assert_eq!((found.key_distance, found.has_hidden, found.has_changes), (2.0, true, true));
        assert!(
            !packets(false, &["0,0,1,K_,New Extradata", "1,1,1,__"]).has_changes,
            "it may come with the first packet"
        );
    }

    #[test]
    fn reset_clocks_go_on() {
        let lines = ["1,1,2,K_", "3,3,2,K_", "1,1,2,K_", "N/A,3,2,K_", "90000,90000,2,K_"];
        let found = packets(true, &lines);
        assert_eq!((found.start, found.end), (1.0, 11.0));
        assert_eq!(packets(false, &lines).end, 90_002.0, "a long still picture");
    }
}
