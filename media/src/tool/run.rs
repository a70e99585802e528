//! Runs one program to its end.

use std::{os::unix::process::ExitStatusExt, process::Stdio, time::Duration};

use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, BufReader},
    process::Command,
    time::timeout,
};

use crate::{Error, Result, confined::NOT_CONFINED};

/// Number of lines of a program's error output that are shown to the operator.
const DETAIL_LINES: usize = 4;
/// Number of bytes of error output that are retained.
const ERROR_BYTES: usize = 4096;
/// Maximum bytes of a line. The rest of a longer line counts as the next one.
const MAX_LINE: u64 = 1 << 20;

/// Error message that programs print if the disk is full.
const FULL: &[u8] = b"No space left on device";

/// Exit code of the loader if a library is missing or not readable.
const NOT_LOADED: i32 = 127;
/// Signals that the system or operators send. Any other signal is the program's reaction to a file.
const EXTERNAL_SIGNALS: [i32; 4] = [nix::libc::SIGKILL, nix::libc::SIGTERM, nix::libc::SIGINT, nix::libc::SIGHUP];

/// A program to run, and its limits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Program<'a> {
    pub name: &'static str,
    /// What it does, after the word "while".
    pub task: &'a str,
    pub limit: Duration,
    /// Maximum bytes of output. A longer output is an error, because its first part would look complete.
    pub output: u64,
}

/// Runs a program to its end and returns its output.
pub(super) async fn collect(program: Program<'_>, command: Command) -> Result<String> {
    let mut output = String::new();
    let on_line = |line: &str| {
        output.push_str(line);
        output.push('\n');
    };
    run(program, command, on_line).await?;
    Ok(output)
}

/// Runs a program to its end. `on_line` is called with each line that it prints.
pub(super) async fn run(
    Program { name: program, task, limit, output }: Program<'_>,
    mut command: Command,
    on_line: impl FnMut(&str),
) -> Result<()> {
    let task = task.to_owned();
    let io = |source| Error::Io { path: program.into(), source };
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true).spawn().map_err(
            |source| match source.kind() {
                std::io::ErrorKind::NotFound => Error::Missing { program },
                _ => io(source),
            },
        )?;
    let (out, stderr) = (child.stdout.take(), child.stderr.take());
    let ended = async {
        let printed = async {
            match lines(out, output, on_line).await.map_err(io)? {
                true => Ok(()),
                false => Err(Error::TooMuchOutput { program, bytes: output, task: task.clone() }),
            }
        };
        let ((), error_output) = tokio::try_join!(printed, async { tail(stderr).await.map_err(io) })?;
        Ok((child.wait().await.map_err(io)?, error_output))
    };
    // Dropping the future on timeout kills the child, as does leaving this function.
    let ended: Result<_> = timeout(limit, ended).await.map_err(|_| Error::TimedOut {
        program,
        seconds: limit.as_secs(),
        task: task.clone(),
    })?;
    let (status, error_output) = ended?;
    // ffmpeg may write the end of a file after setting its exit code, and other errors may follow.
    if error_output.windows(FULL.len()).any(|part| part == FULL) {
        return Err(io(std::io::ErrorKind::StorageFull.into()));
    }
    match status.code() {
        Some(0) => Ok(()),
        Some(NOT_CONFINED | NOT_LOADED) => Err(Error::NotConfined { program }),
        Some(_) => Err(Error::Failed { program, task, detail: last_lines(&error_output) }),
        None => match status.signal() {
            Some(signal) if !EXTERNAL_SIGNALS.contains(&signal) => {
                let detail = format!("it crashed (signal {signal}); {}", last_lines(&error_output));
                Err(Error::Failed { program, task, detail })
            }
            _ => Err(Error::Killed { program, task }),
        },
    }
}

/// Calls `on_line` with each line. Returns `false` as soon as there are more than `most` bytes.
async fn lines(
    from: Option<impl AsyncRead + Unpin>,
    most: u64,
    mut on_line: impl FnMut(&str),
) -> std::io::Result<bool> {
    let Some(from) = from else { return Ok(true) };
    let mut reader = BufReader::new(from);
    let (mut line, mut left) = (Vec::new(), most);
    loop {
        let read = (&mut reader).take(MAX_LINE).read_until(b'\n', &mut line).await?;
        if read == 0 {
            return Ok(true);
        }
        let Some(rest) = left.checked_sub(read as u64) else { return Ok(false) };
        left = rest;
        on_line(String::from_utf8_lossy(&line).trim_end());
        line.clear();
    }
}

/// Returns the end of a program's error output, which may be endless.
async fn tail(from: Option<impl AsyncRead + Unpin>) -> std::io::Result<Vec<u8>> {
    let (mut tail, mut block) = (Vec::new(), [0; ERROR_BYTES]);
    let Some(mut from) = from else { return Ok(tail) };
    loop {
        match from.read(&mut block).await? {
            0 => return Ok(tail),
            read => tail.extend_from_slice(&block[..read]),
        }
        tail.drain(..tail.len().saturating_sub(ERROR_BYTES));
    }
}

fn last_lines(error_output: &[u8]) -> String {
    let error_output = String::from_utf8_lossy(error_output);
    let lines: Vec<&str> = error_output.lines().collect();
    // Error output may contain text from the file.
    lines[lines.len().saturating_sub(DETAIL_LINES)..].join("; ").replace(char::is_control, " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    const fn program(output: u64) -> Program<'static> {
        Program { name: "sh", task: "counting", limit: Duration::from_secs(60), output }
    }

    #[tokio::test]
    async fn too_long_output_is_an_error_instead_of_a_shorter_one() {
        let whole = collect(program(12), shell("echo 12345; echo 67890")).await.unwrap();
        assert_eq!(whole, "12345\n67890\n");
        for script in ["echo 12345; echo 678901", "echo 12345; printf 6789012", "yes", "yes | tr -d '\\n'"] {
            let mut seen = Vec::new();
            let error = run(program(12), shell(script), |line| seen.push(line.len())).await.unwrap_err();
            assert_eq!(error.to_string(), "sh printed more than 12 bytes while counting", "{script}");
            assert!(seen.iter().sum::<usize>() <= 12, "{script}: {seen:?}");
        }
    }
}
