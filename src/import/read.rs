//! Reading the lines of a file ahead, in a separate thread.

use std::io::{self, BufRead, BufReader, Read};

use tokio::sync::mpsc;

use super::{columns::Columns, line::Line};

/// Number of lines per chunk.
const CHUNK: usize = 1_000;
/// Number of chunks read ahead.
const AHEAD: usize = 4;
/// Maximum length of a line in bytes. It is ten times the length of a line for a video with texts in ten languages.
const LINE_MOST: u64 = 1 << 20;

/// File format.
#[derive(Debug, Clone)]
pub enum Form {
    /// One object per line.
    Json,
    /// Delimited columns.
    Delimited {
        columns: Columns,
        delimiter: u8,
        /// Whether the first line names the columns.
        has_header: bool,
    },
}

/// A line number, with the line or its error.
pub type NumberedLine = (u64, Result<Line, String>);

/// Several lines, and the number of bytes read up to their end.
#[derive(Debug)]
pub struct Chunk {
    pub lines: Vec<NumberedLine>,
    pub bytes: u64,
}

/// Reads until the end of the file is reached or the receiver is dropped.
pub fn read(from: impl Read + Send + 'static, form: Form) -> mpsc::Receiver<io::Result<Chunk>> {
    let (chunks, receiver) = mpsc::channel(AHEAD);
    std::thread::spawn(move || {
        let mut sender = Sender { chunks, chunk: Chunk { lines: Vec::new(), bytes: 0 } };
        let read = match form {
            Form::Json => read_json(from, &mut sender),
            Form::Delimited { columns, delimiter, has_header } => {
                read_columns(from, &columns, delimiter, has_header, &mut sender)
            }
        };
        let last = read.map(|()| sender.chunk);
        // If the receiver was dropped, the error has already been reported.
        sender.chunks.blocking_send(last).ok();
    });
    receiver
}

struct Sender {
    chunks: mpsc::Sender<io::Result<Chunk>>,
    chunk: Chunk,
}

impl Sender {
    /// Returns `false` if the receiver was dropped.
    fn send(&mut self, line: NumberedLine, bytes: u64) -> bool {
        self.chunk.lines.push(line);
        self.chunk.bytes = bytes;
        if self.chunk.lines.len() < CHUNK {
            return true;
        }
        let full = std::mem::replace(&mut self.chunk, Chunk { lines: Vec::with_capacity(CHUNK), bytes });
        self.chunks.blocking_send(Ok(full)).is_ok()
    }
}

fn read_json(from: impl Read, sender: &mut Sender) -> io::Result<()> {
    let mut from = BufReader::with_capacity(1 << 20, from);
    let (mut text, mut number, mut bytes) = (Vec::new(), 0, 0);
    loop {
        text.clear();
        let read = from.by_ref().take(LINE_MOST).read_until(b'\n', &mut text)? as u64;
        if read == 0 {
            return Ok(());
        }
        number += 1;
        bytes += read;
        let is_long = read == LINE_MOST && text.last() != Some(&b'\n');
        if is_long {
            bytes += skip_line(&mut from)?;
        }
        let line = match text.trim_ascii() {
            [] => continue,
            _ if is_long => Err(format!("line is longer than {LINE_MOST} bytes")),
            text => Line::of_json(text).map_err(|error| error.to_string()),
        };
        if !sender.send((number, line), bytes) {
            return Ok(());
        }
    }
}

/// Skips the rest of a line. Returns its length in bytes.
fn skip_line(from: &mut impl BufRead) -> io::Result<u64> {
    let mut skipped = 0;
    loop {
        let block = from.fill_buf()?;
        let end = block.iter().position(|byte| *byte == b'\n');
        let length = end.map_or(block.len(), |at| at + 1);
        from.consume(length);
        skipped += length as u64;
        if end.is_some() || length == 0 {
            return Ok(skipped);
        }
    }
}

fn read_columns(
    from: impl Read,
    columns: &Columns,
    delimiter: u8,
    has_header: bool,
    sender: &mut Sender,
) -> io::Result<()> {
    let mut reader =
        csv::ReaderBuilder::new().delimiter(delimiter).has_headers(has_header).flexible(true).from_reader(from);
    let mut row = csv::StringRecord::new();
    loop {
        let line = match reader.read_record(&mut row) {
            Ok(false) => return Ok(()),
            Ok(true) => {
                columns.video(&row).map(|video| Line::Video(Box::new(video))).map_err(|error| error.to_string())
            }
            Err(error) if error.is_io_error() => return Err(io::Error::other(error)),
            Err(error) => Err(error.to_string()),
        };
        let number = row.position().map_or_else(|| reader.position().line(), csv::Position::line);
        if !sender.send((number, line), reader.position().byte()) {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn all(text: &'static [u8], form: Form) -> Vec<(u64, bool)> {
        let (mut chunks, mut lines) = (read(text, form), Vec::new());
        while let Some(chunk) = chunks.recv().await {
            lines.extend(chunk.unwrap().lines.into_iter().map(|(number, line)| (number, line.is_ok())));
        }
        lines
    }

    #[tokio::test]
    async fn malformed_lines_are_reported_with_their_numbers() {
        let text = b"{\"id\":\"1\"}\n\n{\"id\":\n{\"id\":\"2\"}";
        assert_eq!(all(text, Form::Json).await, [(1, true), (3, false), (4, true)]);
        let columns = Columns::new("id,title", ';', None).unwrap();
        let form = Form::Delimited { columns, delimiter: b'|', has_header: true };
        assert_eq!(
            all(b"a|b\n1|one\n2\n3|\"three\nlines\"\n4|four", form).await,
            [(2, true), (3, false), (4, true), (6, true)]
        );
    }

    #[tokio::test]
    async fn overlong_line_is_skipped() {
        let mut text = vec![b'x'; LINE_MOST as usize + 10];
        text.extend(b"\n{\"id\":\"2\"}\n");
        assert_eq!(all(text.leak(), Form::Json).await, [(1, false), (2, true)]);
    }
}
