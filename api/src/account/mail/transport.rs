//! Where mails go: an SMTP server, or a folder.

use std::{
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::Context;
use lantern_config::{Config, DataDir};
use lettre::{
    AsyncFileTransport, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor, transport::smtp::response::Code,
};
use tokio::time::timeout;

/// Why a mail was not taken.
#[derive(Debug)]
pub enum SendError {
    /// No mail is taken at the moment: the server is away, busy, or doesn't know us.
    Outage(String),
    /// This mail isn't taken yet, while others may be: its reader's server wants to be tried again.
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

    /// Hands over a mail; takes up to two times `limit`.
    pub async fn send(&self, message: Message, limit: Duration) -> Result<(), SendError> {
        match self {
            Self::Smtp(server) => match timeout(limit, server.send(message)).await {
                Ok(Ok(_)) => Ok(()),
                Ok(Err(error)) => Err(refused(server, limit, error.status(), words(&error)).await),
                Err(_) => Err(refused(server, limit, None, "no answer within mail.timeout".to_owned()).await),
            },
            Self::Files { folder, files } => {
                // Whoever clears mails away may take their folder along.
                make(folder).map_err(|error| SendError::Outage(format!("{}: {error}", folder.display())))?;
                files.send(message).await.map(drop).map_err(|error| SendError::Outage(words(&error)))
            }
        }
    }
}

/// Links in mails are keys to accounts: nobody else on the machine may read them.
fn make(folder: &Path) -> std::io::Result<()> {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Whether a refusal is about this mail or about all of them. An answer doesn't say at which step it came, so the server is asked on a
/// connection of its own: where that or the sign-in fails, no mail would fare better. A mailbox that doesn't exist won't tomorrow.
async fn refused(
    server: &AsyncSmtpTransport<Tokio1Executor>,
    limit: Duration,
    code: Option<Code>,
    why: String,
) -> SendError {
    let code = code.map(u16::from);
    let greets = matches!(timeout(limit, server.test_connection()).await, Ok(Ok(true)));
    match code {
        Some(CLOSING) => SendError::Outage(why),
        _ if !greets => SendError::Outage(why),
        Some(550..=559) => SendError::Never(why),
        _ => SendError::Later(why),
    }
}

/// The server ends the connection: an answer to anything (RFC 5321, section 3.8).
const CLOSING: u16 = 421;

/// The error with its causes, which is where the reason stands.
fn words(error: &(dyn std::error::Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
