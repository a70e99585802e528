//! Streams a file as a response body.

use std::{
    fs::{File, Metadata},
    io::{self, Read, Seek, SeekFrom},
    ops::Range,
    path::PathBuf,
};

use axum::body::{Body, Bytes};
use futures_util::stream;
use tokio::task::{JoinHandle, spawn_blocking};

/// An open file.
pub struct OpenFile {
    file: File,
    /// Metadata of the file.
    pub metadata: Metadata,
}

/// Opens a file. Fails for a folder.
pub async fn open(path: PathBuf) -> io::Result<OpenFile> {
    let opening = spawn_blocking(move || {
        let file = File::open(&path)?;
        let metadata = file.metadata()?;
        if metadata.is_file() { Ok(OpenFile { file, metadata }) } else { Err(io::ErrorKind::NotFound.into()) }
    });
    opening.await.map_err(io::Error::other)?
}

/// State of streaming. The next piece is read while the current one is being sent.
struct Reading {
    ahead: Option<JoinHandle<io::Result<(Bytes, File)>>>,
    remaining: u64,
    piece: usize,
}

impl Reading {
    /// Starts reading the next piece, if there is one.
    fn read_next(&mut self, file: File) {
        let size = usize::try_from(self.remaining).unwrap_or(usize::MAX).min(self.piece);
        self.remaining -= size as u64;
        self.ahead = (size > 0).then(|| spawn_blocking(move || read(file, size)));
    }
}

/// Streams a range of the file in pieces of `piece` bytes. If the file has become shorter, the connection is aborted, so that clients don't
/// mistake a partial file for a complete one.
pub fn body(mut opened: OpenFile, range: Range<u64>, piece: usize) -> Body {
    if range.is_empty() {
        return Body::empty();
    }
    let remaining = range.end - range.start;
    let size = usize::try_from(remaining).unwrap_or(usize::MAX).min(piece);
    let first = spawn_blocking(move || {
        opened.file.seek(SeekFrom::Start(range.start))?;
        read(opened.file, size)
    });
    let reading = Reading { ahead: Some(first), remaining: remaining - size as u64, piece };
    Body::from_stream(stream::try_unfold(reading, |mut reading: Reading| async move {
        let Some(ahead) = reading.ahead.take() else { return Ok::<_, io::Error>(None) };
        let (bytes, file) = ahead.await.map_err(io::Error::other)??;
        reading.read_next(file);
        Ok(Some((bytes, reading)))
    }))
}

fn read(mut file: File, size: usize) -> io::Result<(Bytes, File)> {
    let mut bytes = Vec::with_capacity(size);
    (&mut file).take(size as u64).read_to_end(&mut bytes)?;
    if bytes.len() < size {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok((bytes.into(), file))
}
