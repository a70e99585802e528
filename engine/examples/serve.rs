//! The engine as a server of its own: `serve FOLDER ADDRESS MASTER_KEY`, until Ctrl-C.

use lantern_engine::{Engine, EngineOptions, Keys};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, address, master] = arguments.as_slice() else {
        return Err("usage: serve FOLDER ADDRESS MASTER_KEY".into());
    };
    let engine = Engine::open(EngineOptions::new(folder))?;
    let listener = tokio::net::TcpListener::bind(address).await?;
    let router = engine.router(Keys::from_master(master));
    let stop = async {
        if let Err(error) = tokio::signal::ctrl_c().await {
            tracing::error!(%error, "no signal can be waited for; the server stops");
        }
    };
    axum::serve(listener, router).with_graceful_shutdown(stop).await?;
    engine.shutdown().await;
    Ok(())
}
