//! Programs that read what strangers sent reach nobody.

use serde_json::json;
use std::{
    net::TcpListener,
    path::Path,
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

use lantern_media::{
    confined::{Launcher, Rules},
    film,
    tool::Tools,
};

const RULES: Rules = Rules { memory: 4 << 30, probe_memory: 1 << 30, file_bytes: 1 << 20 };

fn confined(rules: &str, script: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lantern"))
        .args(["confined", rules, "bash", "-c", script])
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

#[test]
fn they_open_no_connection_start_nothing_and_write_no_more_than_they_may() {
    let folder = tempfile::tempdir().unwrap();
    let [ours, theirs] = ["ours", "theirs"].map(|name| folder.path().join(name));
    for folder in [&ours, &theirs] {
        std::fs::create_dir(folder).unwrap();
    }
    std::fs::write(theirs.join("secret"), "secret").unwrap();
    let rules = &json!({ "memory": 1 << 30, "file_bytes": 1000, "reads": [], "writes": [ours] }).to_string();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let said = |script: &str| {
        let output = confined(rules, script);
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&text).trim().to_owned())
    };
    assert_eq!(said("echo here"), (Some(0), "here".to_owned()));
    assert_eq!(said(&format!("exec 3<>/dev/tcp/127.0.0.1/{port} && echo open")).0, Some(1));
    listener.set_nonblocking(true).unwrap();
    assert!(listener.accept().is_err(), "nobody came");
    assert!(said("ls; echo").1.contains("Operation not permitted"), "{:?}", said("ls; echo"));
    assert!(said("kill -9 $PPID || echo no").1.contains("no"));
    let file = ours.join("long");
    let written = confined(rules, &format!("printf '%02000d' 0 > {}", file.display()));
    assert!(!written.status.success());
    assert!(std::fs::metadata(&file).unwrap().len() <= 1000);
    if has_landlock() {
        let secret = theirs.join("secret");
        for script in [
            format!("read word < {}", secret.display()),
            format!("printf x > {}", theirs.join("new").display()),
            format!("printf x >> {}", secret.display()),
            "read line < /etc/passwd".to_owned(),
            format!("read line < /proc/{}/environ", std::process::id()),
        ] {
            let (code, text) = said(&script);
            assert!(code == Some(1) && text.contains("Permission denied"), "{script}: {text}");
        }
        let given = json!({ "memory": 1 << 30, "file_bytes": 1000, "reads": [secret] }).to_string();
        let read = confined(&given, &format!("read word < {0}; printf x > {0}; echo $word", secret.display()));
        assert_eq!(String::from_utf8_lossy(&read.stdout).trim(), "secret");
        assert_eq!(std::fs::read(&secret).unwrap(), b"secret");
    }
    assert_eq!(confined("no rules", "echo here").status.code(), Some(97));
    let lines = confined(rules, "echo ${HOME-none} ${PATH:+path}");
    assert_eq!(String::from_utf8_lossy(&lines.stdout).trim().split(' ').next_back(), Some("path"));
}

#[tokio::test]
async fn a_film_is_made_by_programs_that_are_confined_and_end_with_who_asked() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let written =
        "-f lavfi -i gradients=s=320x240:r=25:d=4 -f lavfi -i sine=d=4 -c:v libx264 -pix_fmt yuv420p -c:a aac film.mp4";
    let made =
        Command::new("ffmpeg").current_dir(folder).args(["-nostdin", "-v", "error"]).args(written.split(' ')).status();
    assert!(made.unwrap().success());
    let launcher = Launcher { program: Path::new(env!("CARGO_BIN_EXE_lantern")).to_owned(), rules: RULES };
    let tools = Tools::confined(launcher, Duration::from_secs(120));
    let source = film::probe(&tools, &folder.join("film.mp4")).await.unwrap();
    let made = film::make(&tools, &folder.join("film.mp4"), &source, folder, |_, _| ()).await.unwrap();
    assert_eq!(made.height, 240);
    // A program that would go on for ever ends with whoever gave it up.
    let args = ["-f", "lavfi", "-re", "-i", "anullsrc", "-metadata", "title=endless-by-name", "-f", "null", "-"];
    let endless = tools.ffmpeg(folder, "waiting", args);
    assert!(tokio::time::timeout(Duration::from_secs(3), endless).await.is_err());
    let since = Instant::now();
    while running("title=endless-by-name") {
        assert!(since.elapsed() < Duration::from_secs(60), "it still runs");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Whether this kernel limits which files a process opens.
pub fn has_landlock() -> bool {
    use landlock::{ABI, Access, AccessFs, CompatLevel, Compatible, Ruleset, RulesetAttr};
    let strict = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    strict.handle_access(AccessFs::from_all(ABI::V1)).is_ok()
}

/// Whether a process has these words among its arguments.
fn running(words: &str) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let mut arguments = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    arguments.any(|arguments| String::from_utf8_lossy(&arguments).contains(words))
}
