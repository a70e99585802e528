//! Where mails go: an SMTP server, or a folder.

use std::{
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::Context;
use lantern_config::{Config, DataDir};
use lettre::{AsyncFileTransport, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor, transport::smtp};

/// Why a mail was not taken.
#[derive(Debug)]
pub enum SendError {
    /// The server is away, busy, or doesn't know us: the next try may succeed.
    Later(String),
    /// The server will never take this mail.
    Never(String),
}

pub enum Transport {
    Smtp(Box<AsyncSmtpTransport<Tokio1Executor>>),
    Files { folder: PathBuf, files: AsyncFileTransport<Tokio1Executor> },
}

impl Transport {
    pub fn new(config: &Config) -> anyhow::Result<Self> {
        if config.mail.smtp.is_empty() {
            let folder = DataDir::new(&config.data_dir).mail();
            // A folder that can't be made stops the start, not the first mail.
            make(&folder).with_context(|| format!("mails can't be kept in {}", folder.display()))?;
            return Ok(Self::Files { files: AsyncFileTransport::new(&folder), folder });
        }
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(&config.mail.smtp)
            // The address may hold a password, so only the reason is logged.
            .context("mail.smtp names no server")?
            .timeout(Some(Duration::from_secs(config.mail.timeout)))
            .build();
        Ok(Self::Smtp(Box::new(transport)))
    }

    pub async fn send(&self, message: Message) -> Result<(), SendError> {
        match self {
            Self::Smtp(server) => server.send(message).await.map(drop).map_err(|error| refused(&error)),
            Self::Files { folder, files } => {
                // Whoever clears mails away may take their folder along.
                make(folder).map_err(|error| SendError::Later(format!("{}: {error}", folder.display())))?;
                files.send(message).await.map(drop).map_err(|error| SendError::Later(words(&error)))
            }
        }
    }
}

/// Links in mails are keys to accounts: nobody else on the machine may read them.
fn make(folder: &Path) -> std::io::Result<()> {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// A mailbox that doesn't exist won't tomorrow; everything else may be mended, a wrong password of ours too.
fn refused(error: &smtp::Error) -> SendError {
    let of_the_mail = error.status().is_some_and(|code| (550..=559).contains(&u16::from(code)));
    if of_the_mail { SendError::Never(words(error)) } else { SendError::Later(words(error)) }
}

/// The error with its causes, which is where the reason stands.
fn words(error: &(dyn std::error::Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
