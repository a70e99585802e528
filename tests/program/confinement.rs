//! Confinement of the programs that read untrusted input.

use serde_json::json;
use std::{
    net::TcpListener,
    path::Path,
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

use crate::{lantern, run};
use lantern_config::{Config, Encoder, Films, SecondCodec};
use lantern_media::{
    confined::{Launcher, Rules},
    film::{
        self, Ladder,
        ladder::{Hardware, hardware::Kind},
    },
    incoming::Incoming,
    stores::Stores,
    tool::Tools,
    worker::Worker,
};

const RULES: Rules = Rules { memory: 4 << 30, probe_memory: 1 << 30, file_bytes: 1 << 20, full: false };

fn confined(rules: &str, script: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lantern"))
        .args(["confined", rules, "bash", "-c", script])
        // A first-level bash that can't inspect its standard input takes it for a network connection and reads its start-up files.
        .env("SHLVL", "1")
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

#[test]
fn confined_program_has_no_network_no_children_and_limited_writes() {
    let folder = tempfile::tempdir().unwrap();
    let [ours, theirs] = ["ours", "theirs"].map(|name| folder.path().join(name));
    for folder in [&ours, &theirs] {
        std::fs::create_dir(folder).unwrap();
    }
    std::fs::write(theirs.join("secret"), "secret").unwrap();
    let rules = &json!({ "memory": 1 << 30, "file_bytes": 1000, "reads": [], "writes": [ours] }).to_string();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let run_script = |script: &str| {
        let output = confined(rules, script);
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&text).trim().to_owned())
    };
    assert_eq!(run_script("echo here"), (Some(0), "here".to_owned()));
    assert_eq!(run_script(&format!("exec 3<>/dev/tcp/127.0.0.1/{port} && echo open")).0, Some(1));
    listener.set_nonblocking(true).unwrap();
    assert!(listener.accept().is_err(), "no connection was made");
    assert!(run_script("ls; echo").1.contains("Operation not permitted"), "{:?}", run_script("ls; echo"));
    assert!(run_script("kill -9 $PPID || echo no").1.contains("no"));
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
            let (code, text) = run_script(&script);
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
async fn film_is_transcoded_by_confined_programs_that_end_with_their_caller() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let written =
        "-f lavfi -i gradients=s=320x240:r=25:d=4 -f lavfi -i sine=d=4 -c:v libx264 -pix_fmt yuv420p -c:a aac film.mp4";
    let made =
        Command::new("ffmpeg").current_dir(folder).args(["-nostdin", "-v", "error"]).args(written.split(' ')).status();
    assert!(made.unwrap().success());
    let launcher = Launcher { program: Path::new(env!("CARGO_BIN_EXE_lantern")).to_owned(), rules: RULES };
    let tools = Tools::confined(launcher, Duration::from_secs(120));
    let films = Config::load(None).unwrap().films;
    let source = film::probe(&tools, &folder.join("film.mp4")).await.unwrap();
    let made = film::make(&tools, &folder.join("film.mp4"), &source, (&films).into(), folder, |_, _| ()).await.unwrap();
    assert_eq!(made.height, 240);
    // The other encoders make system calls of their own.
    for second_codec in [SecondCodec::Av1, SecondCodec::Hevc] {
        let films = Films { second_codec, ..films.clone() };
        let folder = tempfile::tempdir_in(folder).unwrap();
        let (film, made) = (folder.path().join("../film.mp4"), folder.path());
        let made = film::make(&tools, &film, &source, (&films).into(), made, |_, _| ()).await.unwrap();
        assert!(made.second_codec.is_some(), "{second_codec:?}");
    }
    // A driver that fails costs time, but no film.
    let hardware = Hardware::new(Kind::Vaapi, Path::new("/dev/null"));
    let ladder = Ladder { hardware: Some(&hardware), ..(&films).into() };
    let made = tempfile::tempdir_in(folder).unwrap();
    film::make(&tools, &folder.join("film.mp4"), &source, ladder, made.path(), |_, _| ()).await.unwrap();
    let bytes = std::fs::read(made.path().join("video.mp4")).unwrap();
    assert!(bytes.windows(11).any(|window| window == b"x264 - core"), "it is encoded in software");
    // A program that never ends is killed when its caller stops waiting for it.
    let args = ["-f", "lavfi", "-re", "-i", "anullsrc", "-metadata", "title=endless-by-name", "-f", "null", "-"];
    let tools = tools.with_niceness(19);
    let endless = tools.ffmpeg(folder, "waiting", args);
    let is_nice = async {
        while niceness("title=endless-by-name") != Some(19) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::select! {
        ended = endless => panic!("{ended:?}"),
        found = tokio::time::timeout(Duration::from_secs(60), is_nice) => found.unwrap(),
    }
    let since = Instant::now();
    while running("title=endless-by-name") {
        assert!(since.elapsed() < Duration::from_secs(60), "ffmpeg still runs");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[test]
fn only_a_program_with_a_device_can_open_and_control_it() {
    let rules = |devices: &[&str]| json!({ "memory": 4_u64 << 30, "file_bytes": 1000, "devices": devices }).to_string();
    let run_script = |devices: &[&str], script: &str| {
        let output = confined(&rules(devices), script);
        (output.status.code(), String::from_utf8_lossy(&output.stderr).trim().to_owned())
    };
    // The kernel's drivers and NVIDIA's have such numbers. Standard input is no device of theirs.
    let control = |number: u32| format!("exec /usr/bin/python3 -Ic 'import fcntl; fcntl.ioctl(0, {number})'");
    for number in [0x6400, 0xc008_64b2, 0x4621, 0x25] {
        let (_, denied) = run_script(&[], &control(number));
        assert!(denied.contains("Operation not permitted"), "{number:x}: {denied}");
        let (_, allowed) = run_script(&["/dev/zero"], &control(number));
        assert!(allowed.contains("Inappropriate ioctl"), "{number:x}: {allowed}");
    }
    // Types into a terminal.
    assert!(run_script(&["/dev/zero"], &control(0x5412)).1.contains("Operation not permitted"));
    if has_landlock() {
        assert!(run_script(&[], "exec 3<>/dev/zero").1.contains("Permission denied"));
        assert_eq!(run_script(&["/dev/zero"], "exec 3<>/dev/zero").0, Some(0));
        for denied in ["exec 3<>/dev/full", "exec 3</etc/passwd", "exec 3>/sys/class/drm/version"] {
            assert!(!matches!(run_script(&["/dev/zero"], denied), (Some(0), _)), "{denied}");
        }
    }
}

#[tokio::test]
async fn unusable_hardware_encoders_are_named_with_the_reason() {
    let launcher = Launcher { program: Path::new(env!("CARGO_BIN_EXE_lantern")).to_owned(), rules: RULES };
    let tools = Tools::confined(launcher, Duration::from_secs(120));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("card");
    std::fs::write(&file, "no device").unwrap();
    let missing = folder.path().join("missing");
    let films = Config::load(None).unwrap().films;
    for (encoder, device, why) in [
        (Encoder::Vaapi, missing.as_path(), "No such file"),
        (Encoder::Vaapi, &file, "isn't a device"),
        (Encoder::Qsv, &file, "isn't a device"),
        // This one is a device, so the driver is reached, and fails.
        (Encoder::Vaapi, Path::new("/dev/null"), "Device creation failed"),
        (Encoder::Qsv, Path::new("/dev/null"), "Device creation failed"),
    ] {
        let films = Films { encoder, encoder_device: device.to_owned(), ..films.clone() };
        let found = Hardware::find(&tools, &films).await;
        assert_eq!((&found.used, found.refused.len()), (&None, 1), "{encoder:?}");
        assert!(found.to_string().starts_with("x264; not h264_"), "{found}");
        assert!(found.refused[0].1.contains(why), "{found}");
    }
    let films = Films { encoder: Encoder::Auto, encoder_device: missing, ..films };
    let kinds = Hardware::find(&tools, &films).await.refused.into_iter().map(|(kind, _)| kind);
    if !Path::new("/dev/nvidia0").exists() {
        assert_eq!(kinds.collect::<Vec<_>>(), [Kind::Nvenc, Kind::Qsv, Kind::Vaapi]);
    }
    let found = Hardware::find(&tools, &Films { encoder: Encoder::Software, ..films }).await;
    assert_eq!((found.used, found.refused.len()), (None, 0));
}

/// Runs `act` in a thread without Landlock, as on older kernels and in many containers.
fn without_landlock<T: Send>(act: impl FnOnce() -> T + Send) -> T {
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};
    let missing = SeccompAction::Errno(nix::libc::ENOSYS.cast_unsigned());
    let rules = [(nix::libc::SYS_landlock_create_ruleset, Vec::new())].into();
    let architecture = std::env::consts::ARCH.try_into().unwrap();
    let filter: BpfProgram =
        SeccompFilter::new(rules, SeccompAction::Allow, missing, architecture).unwrap().try_into().unwrap();
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            seccompiler::apply_filter(&filter).unwrap();
            act()
        });
        thread.join().unwrap()
    })
}

/// Python script that tries the system calls with which other processes can be reached, with harmless arguments. It
/// prints one result per line.
const CALLS: &str = r#"
import ctypes, os, threading
libc = ctypes.CDLL(None, use_errno=True)
def call(*args):
    ctypes.set_errno(0)
    done = libc.syscall(*[ctypes.c_long(arg) for arg in args])
    return "done" if done >= 0 else os.strerror(ctypes.get_errno())
other, own, X32 = os.getppid(), os.getpid(), 0x40000000
room = ctypes.addressof(ctypes.create_string_buffer(256))
numbers = {"kill": 62, "tkill": 200, "tgkill": 234, "rt_sigqueueinfo": 129, "rt_tgsigqueueinfo": 297, "prlimit64": 302,
    "shmget": 29, "setpriority": 141, "getpriority": 140, "sched_setaffinity": 203, "sched_setscheduler": 144, "ptrace": 101,
    "process_vm_readv": 310, "pidfd_open": 434, "memfd_create": 319, "socket": 41, "socketpair": 53, "truncate": 76,
    "symlink": 88, "chmod": 90, "setsid": 112, "personality": 135, "ioprio_set": 251, "inotify_init": 253, "getpid": 39}
if os.uname().machine != "x86_64":
    raise SystemExit("only numbers of x86_64 are known")
tell = lambda name, *args: print(name, call(numbers[name.split(" ")[0]], *args), flush=True)
tell("kill", other, 0)
tell("tkill", other, 0)
tell("tgkill", other, other, 0)
tell("rt_sigqueueinfo", other, 0, room)
tell("rt_tgsigqueueinfo", other, other, 0, room)
tell("prlimit64", other, 7, 0, room)
tell("shmget", 0, 4096, 0o600)
for name in ["setpriority", "getpriority", "sched_setaffinity", "sched_setscheduler", "ptrace", "process_vm_readv",
        "pidfd_open", "memfd_create", "socket", "socketpair", "truncate", "symlink", "chmod", "setsid", "personality",
        "ioprio_set", "inotify_init"]:
    tell(name, 0, 0, 0, 0, 0)
print("x32", call(X32 | numbers["getpid"]), flush=True)
print("own tgkill", call(numbers["tgkill"], own, threading.get_native_id(), 0), flush=True)
print("own prlimit64", call(numbers["prlimit64"], 0, 7, 0, room), flush=True)
"#;

#[test]
#[cfg(target_arch = "x86_64")]
fn confined_program_reaches_no_other_process() {
    let rules = json!({ "memory": 1_u64 << 30, "file_bytes": 1000 }).to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_lantern"))
        // This is the system's Python. The wrapper script of a version manager would read forbidden files.
        .args(["confined", &rules, "/usr/bin/python3", "-c", CALLS])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    let (own, refused): (Vec<&str>, Vec<&str>) = stdout.lines().partition(|line| line.starts_with("own "));
    assert_eq!(own, ["own tgkill done", "own prlimit64 done"], "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(refused.len(), 25, "{stdout}");
    let reached: Vec<&&str> = refused.iter().filter(|line| !line.ends_with(" Operation not permitted")).collect();
    assert!(reached.is_empty(), "{reached:?}");
}

#[tokio::test]
async fn confinement_is_detected_and_required_if_configured() {
    let program = || Path::new(env!("CARGO_BIN_EXE_lantern")).to_owned();
    let tools = |full| {
        let launcher = Launcher { program: program(), rules: Rules { full, ..RULES } };
        Tools::confined(launcher, Duration::from_secs(60))
    };
    let (found, is_enough) = tools(true).confinement().await.unwrap().unwrap();
    assert!(found.calls && is_enough == has_landlock(), "{found}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("words.mp4");
    std::fs::write(&file, "only words").unwrap();
    let without = |full| {
        without_landlock(|| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let confinement = tools(full).confinement().await.unwrap().unwrap();
                let pool = sqlx::PgPool::connect_lazy("postgres://nobody@127.0.0.1/none").unwrap();
                let stores = Stores::local(folder.path().to_owned(), String::new());
                let incoming = Incoming::new(folder.path().to_owned());
                let worker = Worker::new(pool, incoming, stores, &Config::default(), tools(full));
                assert_eq!(worker.is_confined().await, confinement.1, "films wait without confinement");
                (confinement, film::probe(&tools(full), &file).await.unwrap_err().to_string())
            })
        })
    };
    let ((found, is_enough), why) = without(true);
    assert_eq!((found.calls, found.files, is_enough), (true, false, false));
    assert!(why.contains("can't be confined"), "must not run: {why}");
    let ((found, is_enough), why) = without(false);
    assert_eq!((found.is_full(), is_enough), (false, true));
    assert!(!why.contains("can't be confined"), "runs and reports the file's error: {why}");
}

#[test]
fn status_shows_confinement_and_why_films_wait() {
    let folder = tempfile::tempdir().unwrap();
    let status = |settings: &[(&str, &str)]| {
        let (output, text) = run(lantern(folder.path()).envs(settings.iter().copied()).arg("status"));
        String::from_utf8_lossy(&output.stdout).into_owned() + text.as_str()
    };
    let full =
        "Films          0 waiting; ffmpeg's sandbox on this machine: system calls enforced, files enforced, signals ";
    assert_eq!(status(&[]).contains(full), has_landlock());
    let weak =
        "0 waiting; ffmpeg's sandbox on this machine: system calls enforced, files not enforced, signals not enforced";
    assert!(without_landlock(|| status(&[])).contains(weak));
    let production = [
        ("LANTERN__MODE", "production"),
        ("LANTERN__SECURITY__SECRET", "a secret that is long enough for production"),
        ("LANTERN__SERVER__PUBLIC_URL", "https://tube.example"),
        ("LANTERN__SERVER__TRUSTED_PROXIES", "none"),
    ];
    let refused = without_landlock(|| status(&production));
    assert!(
        refused.contains(
            "0 waiting; none transcoded on this machine, because ffmpeg's sandbox is incomplete: system calls enforced, \
             files not"
        ),
        "{refused}"
    );
}

/// Returns whether the kernel supports Landlock.
pub fn has_landlock() -> bool {
    use landlock::{ABI, Access, AccessFs, CompatLevel, Compatible, Ruleset, RulesetAttr};
    let strict = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    strict.handle_access(AccessFs::from_all(ABI::V1)).is_ok()
}

/// Returns whether there is a process with this text in its arguments.
fn running(words: &str) -> bool {
    niceness(words).is_some()
}

/// Returns the niceness of a program with these arguments, if one is running.
fn niceness(words: &str) -> Option<i8> {
    std::fs::read_dir("/proc").unwrap().flatten().find_map(|process| {
        let arguments = std::fs::read(process.path().join("cmdline")).ok()?;
        let stat = std::fs::read_to_string(process.path().join("stat")).ok()?;
        // The niceness is the 19th field (see proc_pid_stat(5)), which is the 17th after the parenthesized name.
        let field = stat.rsplit(')').next()?.split_whitespace().nth(16)?;
        String::from_utf8_lossy(&arguments).contains(words).then(|| field.parse().ok())?
    })
}
