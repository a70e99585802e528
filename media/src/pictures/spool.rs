//! Temporary storage of an incoming picture.

use std::{io::SeekFrom, path::Path};

use tokio::{
    fs::File,
    io::{AsyncReadExt, AsyncSeekExt, AsyncWriteExt, BufWriter},
    task::spawn_blocking,
};

use crate::{Error, Result};

/// Number of bytes written at once.
const BLOCK: usize = 1 << 18;

/// An unnamed file. The system deletes it when its last handle is closed, so nothing remains of aborted uploads, even after a crash.
#[derive(Debug)]
pub struct Spool {
    file: BufWriter<File>,
    folder: std::path::PathBuf,
}

impl Spool {
    /// Creates an empty spool on the disk of `folder`.
    pub async fn begin(folder: &Path) -> Result<Self> {
        let folder = folder.to_path_buf();
        let place = folder.clone();
        let made =
            spawn_blocking(move || tempfile::tempfile_in(place)).await.unwrap_or_else(|stopped| Err(stopped.into()));
        let file = made.map_err(Error::at(&folder))?;
        Ok(Self { file: BufWriter::with_capacity(BLOCK, File::from_std(file)), folder })
    }

    /// Appends bytes.
    pub async fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.write_all(bytes).await.map_err(Error::at(&self.folder))
    }

    /// Returns all bytes.
    pub(super) async fn read(mut self) -> Result<Vec<u8>> {
        let at = Error::at(&self.folder);
        let reading = async {
            self.file.flush().await?;
            let file = self.file.get_mut();
            file.seek(SeekFrom::Start(0)).await?;
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).await?;
            Ok(bytes)
        };
        reading.await.map_err(at)
    }
}
