//! Reading the lines of a file ahead, in a separate thread.

use std::io::{self, BufRead, BufReader, Read};

use tokio::sync::mpsc;

use super::{
    columns::Columns,
    line::{Line, ReadLine, Unreadable},
};

/// Number of lines per chunk.
const CHUNK: usize = 1_000;
/// Number of chunks read ahead.
const AHEAD: usize = 4;
/// Maximum length of a line in bytes. It is ten times the length of a line for a video with texts in ten languages.
const LINE_MOST: u64 = 1 << 20;
/// Byte order mark, which Windows programs write at the beginning of a text file.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

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
pub type NumberedLine = (u64, Result<ReadLine, Unreadable>);

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
        let content = text.strip_prefix(BYTE_ORDER_MARK).filter(|_| number == 1).unwrap_or(&text);
        let line = match content.trim_ascii() {
            [] => continue,
            _ if is_long => Err(unreadable(format!("line is longer than {LINE_MOST} bytes"))),
            content => Line::of_json(content),
        };
        if !sender.send((number, line), bytes) {
            return Ok(());
        }
    }
}

fn unreadable(why: String) -> Unreadable {
    Unreadable { id: String::new(), why }
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
            Ok(true) => match columns.video(&row) {
                Ok(video) => Ok(ReadLine { line: Line::Video(Box::new(video)), unknown_fields: Vec::new() }),
                Err(error) => Err(Unreadable { id: columns.id(&row), why: error.to_string() }),
            },
            Err(error) if error.is_io_error() => return Err(io::Error::other(error)),
            Err(error) => Err(unreadable(error.to_string())),
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
    async fn files_of_windows_programs_are_read() {
        assert_eq!(
            all(b"\xef\xbb\xbf{\"id\":\"1\"}\r\n\r\n{\"id\":\"2\"}\r\n", Form::Json).await,
            [(1, true), (3, true)]
        );
        assert_eq!(all(b"{\"id\":\"1\"}\n\xef\xbb\xbf{\"id\":\"2\"}\n", Form::Json).await, [(1, true), (2, false)]);
        let columns = Columns::new("id,title,hd", ';', None).unwrap();
        for (text, has_header) in [
            (&b"\xef\xbb\xbfid|title|hd\r\n1|one|1\r\n2|two|0\r\n"[..], true),
            (b"\xef\xbb\xbf1|one|1\r\n2|two|0\r\n", false),
        ] {
            let form = Form::Delimited { columns: columns.clone(), delimiter: b'|', has_header };
            let mut chunks = read(text, form);
            let lines = chunks.recv().await.unwrap().unwrap().lines;
            let ids = lines.into_iter().map(|(_, read)| match read.unwrap().line {
                Line::Video(video) => (video.id, video.hd),
                other => panic!("{other:?}"),
            });
            assert_eq!(ids.collect::<Vec<_>>(), [("1".to_owned(), true), ("2".to_owned(), false)]);
        }
    }

    #[tokio::test]
    async fn overlong_line_is_skipped() {
        let mut text = vec![b'x'; LINE_MOST as usize + 10];
        text.extend(b"\n{\"id\":\"2\"}\n");
        assert_eq!(all(text.leak(), Form::Json).await, [(1, false), (2, true)]);
    }
}
