//! The address for operators and their programs, beside the site's own.

use std::{
    io::ErrorKind,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
};

use anyhow::{Context, bail};
use lantern_config::{Config, Mode};
use tokio::net::TcpListener;

use crate::progress::say;

/// Opens `server.monitor_listen`; `None` where there is to be none. In development a port that is taken is no reason not to start.
pub async fn listen(config: &Config) -> anyhow::Result<Option<std::net::TcpListener>> {
    let address = &config.server.monitor_listen;
    if address.is_empty() {
        return Ok(None);
    }
    match TcpListener::bind(address).await {
        Ok(listener) => {
            say(&format!("{:<28} http://{}/metrics", "Figures and health", listener.local_addr()?));
            Ok(Some(listener.into_std()?))
        }
        Err(error) if error.kind() == ErrorKind::AddrInUse && config.mode == Mode::Development => {
            say(&format!("{:<28} {address} is taken; nobody is told (server.monitor_listen)", "Figures and health"));
            Ok(None)
        }
        Err(error) if error.kind() == ErrorKind::AddrInUse => {
            bail!(
                "{address} is taken by another program; choose another server.monitor_listen (port 0 takes any free one)"
            )
        }
        Err(error) => Err(error).with_context(|| format!("server.monitor_listen: can't listen on {address}")),
    }
}

/// Where a Lantern with these settings tells its figures, as seen from this machine.
pub fn url(config: &Config) -> anyhow::Result<String> {
    let address: SocketAddr = config
        .server
        .monitor_listen
        .parse()
        .context("server.monitor_listen is no address; name the running Lantern's")?;
    anyhow::ensure!(address.port() != 0, "server.monitor_listen takes any free port; name the one it took");
    let ip = match address.ip() {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    Ok(format!("http://{}", SocketAddr::new(ip, address.port())))
}
