//! Mail transports: an SMTP server, or a folder.

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

/// Why a mail was not accepted.
#[derive(Debug)]
pub enum SendError {
    /// No mail can be sent because the server is unavailable, busy, or refuses our sign-in.
    Outage(String),
    /// This mail is temporarily refused because its recipient's server asks to retry. Other mails may be accepted.
    Later(String),
    /// The server refuses this mail permanently.
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
            // Fail at startup rather than at the first mail.
            create(&folder).with_context(|| format!("failed to create the mail folder {}", folder.display()))?;
            return Ok(Self::Files { files: AsyncFileTransport::new(&folder), folder });
        }
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(&config.mail.smtp)
            // The address may contain a password, so only the reason is logged.
            .context("mail.smtp is not a valid server address")?
            .timeout(Some(Duration::from_secs(config.mail.timeout)))
            .build();
        Ok(Self::Smtp(Box::new(transport)))
    }

    /// Sends a mail. This takes up to twice `limit`.
    pub async fn send(&self, message: Message, limit: Duration) -> Result<(), SendError> {
        match self {
            Self::Smtp(server) => match timeout(limit, server.send(message)).await {
                Ok(Ok(_)) => Ok(()),
                Ok(Err(error)) => Err(refused(server, limit, error.status(), words(&error)).await),
                Err(_) => Err(refused(server, limit, None, "no response within mail.timeout".to_owned()).await),
            },
            Self::Files { folder, files } => {
                // The folder may have been deleted while mails were cleaned up.
                create(folder).map_err(|error| SendError::Outage(format!("{}: {error}", folder.display())))?;
                files.send(message).await.map(drop).map_err(|error| SendError::Outage(words(&error)))
            }
        }
    }
}

/// Creates the mail folder. Only its owner can read it, because links in mails give access to accounts.
fn create(folder: &Path) -> std::io::Result<()> {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Decides whether a refusal is about this mail or about all mails. A response doesn't tell at which step it was sent, so this function
/// opens a new connection. If the connection or the sign-in fails, every mail would fail. A mailbox that doesn't exist is a permanent
/// failure.
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

/// Reply of a server that closes the connection. The server may send it to any command (RFC 5321, section 3.8).
const CLOSING: u16 = 421;

/// Formats an error with its causes, which contain the actual reason.
fn words(error: &(dyn std::error::Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
