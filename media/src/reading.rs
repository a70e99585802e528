//! Bytes of a file as the body of an answer.

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
    /// What the system knows of it.
    pub metadata: Metadata,
}

/// Opens a file; a folder is none.
pub async fn open(path: PathBuf) -> io::Result<OpenFile> {
    let opening = spawn_blocking(move || {
        let file = File::open(&path)?;
        let metadata = file.metadata()?;
        if metadata.is_file() { Ok(OpenFile { file, metadata }) } else { Err(io::ErrorKind::NotFound.into()) }
    });
    opening.await.map_err(io::Error::other)?
}

/// A part of a file under way: while one piece is sent the next is read.
struct Reading {
    ahead: Option<JoinHandle<io::Result<(Bytes, File)>>>,
    left: u64,
    piece: usize,
}

impl Reading {
    /// Reads the next piece, if there is one.
    fn go_on(&mut self, file: File) {
        let size = usize::try_from(self.left).unwrap_or(usize::MAX).min(self.piece);
        self.left -= size as u64;
        self.ahead = (size > 0).then(|| spawn_blocking(move || read(file, size)));
    }
}

/// These bytes of the file, read `piece` at a time. A file that has become shorter ends the connection, so that nobody takes what came
/// for all of it.
pub fn body(mut opened: OpenFile, range: Range<u64>, piece: usize) -> Body {
    if range.is_empty() {
        return Body::empty();
    }
    let left = range.end - range.start;
    let size = usize::try_from(left).unwrap_or(usize::MAX).min(piece);
    let first = spawn_blocking(move || {
        opened.file.seek(SeekFrom::Start(range.start))?;
        read(opened.file, size)
    });
    let reading = Reading { ahead: Some(first), left: left - size as u64, piece };
    Body::from_stream(stream::try_unfold(reading, |mut reading: Reading| async move {
        let Some(ahead) = reading.ahead.take() else { return Ok::<_, io::Error>(None) };
        let (bytes, file) = ahead.await.map_err(io::Error::other)??;
        reading.go_on(file);
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
