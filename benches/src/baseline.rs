//! Baselines for all results: a hello-world server, and a bare handler that returns the body and headers of a given response. They run in a
//! separate process, as the site does.

use std::{
    io::{BufRead, Read, Write},
    path::{Path, PathBuf},
    process::Stdio,
};

use anyhow::Context;
use axum::{
    Router,
    http::{HeaderMap, HeaderName, HeaderValue, Response, header},
    routing::get,
};
use bytes::Bytes;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    process::{Child, Command},
};

/// URLs of the baseline servers, which stop when this is dropped.
pub struct Baseline {
    /// URL of the server that returns `hello`.
    pub hello: String,
    /// URL of the server that returns the site's response.
    pub bare: String,
    /// The process with the servers, which runs until its standard input closes.
    _process: Child,
}

/// Returns the path of this program. On Linux, `/proc/self/exe` works even if the user cannot access the file's folder.
fn this_program() -> std::io::Result<PathBuf> {
    let linked = Path::new("/proc/self/exe");
    if linked.exists() { Ok(linked.to_owned()) } else { std::env::current_exe() }
}

/// Starts both servers. The bare handler returns `body` and `headers`.
pub async fn start(body: &Bytes, headers: &HeaderMap) -> anyhow::Result<Baseline> {
    let mut process = Command::new(this_program()?)
        .args(["bench", "baseline"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .context("cannot start the baseline")?;
    let mut head = format!("{}\n", body.len());
    for (name, value) in headers {
        // The server adds these headers itself.
        if ![header::DATE, header::CONTENT_LENGTH, header::TRANSFER_ENCODING, header::CONNECTION].contains(name) {
            head.push_str(&format!("{name}: {}\n", value.to_str()?));
        }
    }
    head.push('\n');
    let input = process.stdin.as_mut().context("the baseline has no input")?;
    input.write_all(head.as_bytes()).await?;
    input.write_all(body).await?;
    input.flush().await?;
    let output = process.stdout.take().context("the baseline has no output")?;
    let address = BufReader::new(output).lines().next_line().await?.context("the baseline ended")?;
    Ok(Baseline { hello: format!("{address}/"), bare: format!("{address}/bare"), _process: process })
}

/// Runs the second process: reads the response from standard input and serves it until the input closes.
///
/// # Errors
/// If the input is malformed or no port is available.
pub async fn serve() -> anyhow::Result<()> {
    let (body, headers) = tokio::task::spawn_blocking(read_answer).await??;
    let bare = move || {
        let mut response = Response::new(axum::body::Body::from(body.clone()));
        response.headers_mut().clone_from(&headers);
        async { response }
    };
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
    writeln!(std::io::stdout(), "http://{}", listener.local_addr()?)?;
    let router = Router::new().route("/", get(|| async { "hello" })).route("/bare", get(bare));
    let ended = tokio::task::spawn_blocking(|| std::io::stdin().lock().read_to_end(&mut Vec::new()));
    tokio::select! {
        served = axum::serve(listener, router).into_future() => Ok(served?),
        ended = ended => ended?.map(drop).map_err(Into::into),
    }
}

fn read_answer() -> anyhow::Result<(Bytes, HeaderMap)> {
    let mut input = std::io::stdin().lock();
    let mut line = String::new();
    let mut next = |input: &mut std::io::StdinLock<'_>| -> anyhow::Result<String> {
        line.clear();
        input.read_line(&mut line)?;
        Ok(line.trim_end().to_owned())
    };
    let length: usize = next(&mut input)?.parse().context("the length of the body")?;
    let mut headers = HeaderMap::new();
    loop {
        let line = next(&mut input)?;
        let Some((name, value)) = line.split_once(": ") else { break };
        headers.append(HeaderName::from_bytes(name.as_bytes())?, HeaderValue::from_str(value)?);
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body)?;
    Ok((body.into(), headers))
}
