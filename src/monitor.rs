//! Listener for metrics and health checks, separate from the site's address.

use std::{
    io::ErrorKind,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
};

use anyhow::{Context, bail};
use lantern_config::{Config, Mode};
use tokio::net::TcpListener;

use crate::progress::say;

/// Binds `server.monitor_listen`. Returns `None` if the address is empty or, in development, if its port is in use.
pub async fn listen(config: &Config) -> anyhow::Result<Option<std::net::TcpListener>> {
    let address = &config.server.monitor_listen;
    if address.is_empty() {
        return Ok(None);
    }
    match TcpListener::bind(address).await {
        Ok(listener) => {
            say(&format!("{:<28} http://{}/metrics", "Metrics and health", listener.local_addr()?));
            Ok(Some(listener.into_std()?))
        }
        Err(error) if error.kind() == ErrorKind::AddrInUse && config.mode == Mode::Development => {
            say(&format!("{:<28} {address} is in use; not served (server.monitor_listen)", "Metrics and health"));
            Ok(None)
        }
        Err(error) if error.kind() == ErrorKind::AddrInUse => {
            bail!(
                "{address} is in use by another program; choose another server.monitor_listen (port 0 takes any free port)"
            )
        }
        Err(error) => Err(error).with_context(|| format!("server.monitor_listen: can't listen on {address}")),
    }
}

/// Returns the base URL at which this machine can reach the monitor with these settings.
pub fn url(config: &Config) -> anyhow::Result<String> {
    let address: SocketAddr = config
        .server
        .monitor_listen
        .parse()
        .context("server.monitor_listen is not an address; set it to the running Lantern's")?;
    anyhow::ensure!(address.port() != 0, "server.monitor_listen uses any free port; set it to the actual one");
    let ip = match address.ip() {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    Ok(format!("http://{}", SocketAddr::new(ip, address.port())))
}
