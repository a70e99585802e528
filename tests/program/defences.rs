//! Defenses against an attacker on the machine, in the logs or in one of the site's database connections.

use std::{
    fs::{self, Permissions},
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::Path,
    process::Stdio,
};

use sqlx::PgPool;

use crate::{database, lantern, ready, refused, stop, up};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

#[test]
fn files_are_private_to_their_user() {
    let folder = tempfile::tempdir().unwrap();
    // An earlier version left the files like this.
    for name in ["lock", "secret.key"] {
        fs::write(folder.path().join(name), "0123456789abcdef0123456789abcdef").unwrap();
        set_mode(&folder.path().join(name), 0o644);
    }
    fs::write(folder.path().join("postgres.log"), "").unwrap();
    set_mode(&folder.path().join("postgres.log"), 0o644);
    fs::create_dir(folder.path().join("mail")).unwrap();
    set_mode(&folder.path().join("mail"), 0o755);
    set_mode(folder.path(), 0o755);
    let child = up(folder.path());
    assert_eq!(format!("{:o}", mode(folder.path())), "700");
    let mut seen = Vec::new();
    for entry in fs::read_dir(folder.path()).unwrap() {
        let entry = entry.unwrap();
        let (name, mode) = (entry.file_name().into_string().unwrap(), mode(&entry.path()));
        assert_eq!(mode & 0o077, 0, "{name} has mode {mode:o}");
        seen.push(name);
    }
    for name in ["postgres", "index", "sled", "mail", "secret.key", "master.key", "database.url", "postgres.log"] {
        assert!(seen.iter().any(|found| found == name), "{name} is not among {seen:?}");
    }
    stop(child);
}

/// Runs a statement as the site's role. Returns `done` or the SQLSTATE.
async fn outcome(pool: &PgPool, sql: &'static str) -> String {
    match sqlx::raw_sql(sql).execute(pool).await {
        Ok(_) => "done".to_owned(),
        Err(sqlx::Error::Database(error)) => error.code().unwrap_or_default().into_owned(),
        Err(other) => panic!("{sql}: {other}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres_errors_log_no_personal_data() {
    let folder = tempfile::tempdir().unwrap();
    let child = up(folder.path());
    let pool = database(folder.path()).await;
    let (email, secret) = ("ann.private@mail.example", "what-ann-typed");
    let add = "insert into users (username, email) values ($1, $2)";
    sqlx::query(add).bind("ann-private").bind(email).execute(&pool).await.unwrap();
    // The errors are a duplicate key, a failed check, an invalid number, and a literal in a statement.
    let taken = sqlx::query(add).bind("other").bind(email).execute(&pool).await.unwrap_err();
    assert_eq!(taken.as_database_error().unwrap().code().unwrap(), "23505");
    let unfit = "update videos set title = '', description = $1 where id = (select min(id) from videos)";
    let unfit = sqlx::query(unfit).bind(secret).execute(&pool).await.unwrap_err();
    assert_eq!(unfit.as_database_error().unwrap().code().unwrap(), "23514");
    let unread = sqlx::query("select $1::text::bigint").bind(secret).execute(&pool).await.unwrap_err();
    assert_eq!(unread.as_database_error().unwrap().code().unwrap(), "22P02");
    assert_eq!(outcome(&pool, "select 'ann.private@mail.example' from nowhere").await, "42P01");
    pool.close().await;
    stop(child);
    let log = fs::read_to_string(folder.path().join("postgres.log")).unwrap();
    assert!(log.contains("database system is ready"), "the log is empty: {log}");
    for personal in [email, secret, "ann-private"] {
        assert!(!log.contains(personal), "{personal} is in the log:\n{log}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn site_role_may_only_read_and_write_rows() {
    const REFUSED: &str = "42501";
    let folder = tempfile::tempdir().unwrap();
    let child = up(folder.path());
    let pool = database(folder.path()).await;
    for refused in [
        "create extension file_fdw",
        "create table mine (id int)",
        "create function mine() returns int language sql as 'select 1'",
        "alter table users add column is_admin boolean",
        "alter table users disable trigger all",
        "set session_replication_role = replica",
        "drop table sessions",
        "truncate sessions",
        "copy (select 1) to program 'id'",
        "copy (select 1) to '/tmp/lantern-copied'",
        "copy channels (title) from '/etc/passwd'",
        "select rolpassword from pg_authid",
        "select pg_read_file('/etc/passwd')",
        "create role mine superuser",
        "create database mine",
        "alter role lantern superuser",
        "set role lantern_setup",
        "delete from _sqlx_migrations",
    ] {
        assert_eq!(outcome(&pool, refused).await, REFUSED, "{refused}");
    }
    for allowed in [
        "insert into channels (dir, title, url) values ('a', 'A', 'https://a.example/')",
        "update channels set title = 'B' where dir = 'a'",
        "delete from channels where dir = 'a'",
        "listen lantern",
    ] {
        assert_eq!(outcome(&pool, allowed).await, "done", "{allowed}");
    }
    // The backup is made as documented for operators.
    let url = fs::read_to_string(folder.path().join("database.url")).unwrap();
    let dump = std::process::Command::new("pg_dump").arg("--format=custom").arg(url.trim()).output().unwrap();
    assert!(dump.status.success() && dump.stdout.starts_with(b"PGDMP"), "{}", String::from_utf8_lossy(&dump.stderr));
    pool.close().await;
    stop(child);
}

/// Returns the ids in a line such as `Uid:` of a process's status.
fn ids(pid: u32, what: &str) -> Vec<u32> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(what)).unwrap();
    line.split_whitespace().map(|id| id.parse().unwrap()).collect()
}

/// Returns whether the test runs as root, which some tests need.
fn is_root() -> bool {
    nix::unistd::geteuid().is_root()
}

#[test]
fn root_drops_privileges_and_hands_over_data() {
    if !is_root() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let closed = tempfile::tempdir().unwrap();
    let child = lantern(folder.path())
        .args(["up", "--port", "0", "--seed-videos", "40"])
        .env("TMPDIR", closed.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (child, ..) = ready(child);
    let user = ids(child.id(), "Uid:");
    assert!(user.iter().all(|id| *id == user[0] && *id != 0), "{user:?}");
    assert!(ids(child.id(), "Gid:").iter().all(|id| *id != 0));
    assert_eq!(ids(child.id(), "Groups:"), [0_u32; 0]);
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    for set in ["CapPrm:", "CapEff:"] {
        assert!(status.contains(&format!("{set}\t0000000000000000")), "{status}");
    }
    assert_eq!(fs::metadata(folder.path()).unwrap().uid(), user[0]);
    for entry in fs::read_dir(folder.path()).unwrap() {
        let entry = entry.unwrap();
        assert_eq!(entry.metadata().unwrap().uid(), user[0], "{:?}", entry.file_name());
    }
    stop(child);
}

#[test]
fn inaccessible_folder_is_named_to_root() {
    if !is_root() {
        return;
    }
    let closed = tempfile::tempdir().unwrap();
    set_mode(closed.path(), 0o700);
    let text = refused(lantern(&closed.path().join("data")).args(["moderate", "list"]));
    let barrier = format!("who may not enter {}: name another folder with --data-dir", closed.path().display());
    assert!(text.contains(&barrier), "{text}");
    assert_eq!(text.trim().lines().count(), 1, "{text}");
    assert!(!closed.path().join("data").exists(), "no folder is created");
}

#[test]
fn foreign_folder_is_not_handed_over() {
    if !is_root() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let notes = folder.path().join("notes.txt");
    fs::write(&notes, "not ours").unwrap();
    let text = refused(lantern(folder.path()).args(["moderate", "list"]));
    assert!(text.contains("holds files that aren't Lantern's"), "{text}");
    assert_eq!(fs::metadata(&notes).unwrap().uid(), 0);
}

#[test]
fn privileged_port_is_refused_with_advice() {
    let lowest = fs::read_to_string("/proc/sys/net/ipv4/ip_unprivileged_port_start").unwrap();
    if lowest.trim().parse::<u16>().unwrap() < 100 {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let text = refused(lantern(folder.path()).args(["up", "--port", "99"]));
    assert!(text.contains("port 99 is reserved for root") && text.contains("--port"), "{text}");
}
