//! Serves the engine over HTTP: `server FOLDER ADDRESS MASTER_KEY`. Prints its search key and runs until stopped.

#![expect(clippy::print_stdout, reason = "an example prints to its user")]

use lantern_engine::{Engine, EngineOptions, Keys};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, address, master] = arguments.as_slice() else {
        return Err("usage: server FOLDER ADDRESS MASTER_KEY".into());
    };
    let engine = Engine::open(EngineOptions::new(folder))?;
    let keys = Keys::from_master(master);
    println!("search key: {}", keys.search);
    let listener = tokio::net::TcpListener::bind(address).await?;
    axum::serve(listener, engine.router(keys)).with_graceful_shutdown(stopped()).await?;
    engine.shutdown().await;
    Ok(())
}

/// Waits for Ctrl-C. If the signal cannot be received, the server runs until its process is killed, which loses no data.
async fn stopped() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending().await
    }
}
