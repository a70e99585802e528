//! Plain ffmpeg command lines for comparison. They produce the same heights and pictures as Lantern, with the same
//! encoders, but don't probe the film.

use std::{ffi::OsStr, path::Path, process::Stdio, time::Instant};

use anyhow::ensure;
use tokio::process::Command;

/// Width, height, CRF, maximum video kbit/s and audio kbit/s, as in the ladder.
const HEIGHTS: [(u32, u32, u32, u32, u32); 3] =
    [(426, 240, 27, 400, 64), (854, 480, 25, 1400, 96), (1280, 720, 24, 2800, 128)];
const SHOTS: u32 = 10;

/// Generates a film with motion and sound in a codec that needs transcoding. The content depends on `number`.
pub async fn generate(file: &Path, number: usize, seconds: u32) -> anyhow::Result<()> {
    let picture = format!(
        "testsrc2=s=1280x720:r=25:d={seconds},noise=alls=8:allf=t:all_seed={},hue=h={}",
        number + 1,
        number * 40
    );
    let sound = format!("sine=f={}:d={seconds}", 220 + number * 20);
    let args =
        ["-f", "lavfi", "-i", &picture, "-f", "lavfi", "-i", &sound, "-c:v", "mpeg4", "-q:v", "3", "-c:a", "mp2"];
    ffmpeg(file.parent().unwrap_or(file), args.iter().map(OsStr::new).chain([file.as_os_str()])).await
}

/// Creates all files of a video. Returns the seconds for the heights alone and the seconds for everything.
pub async fn transcode(film: &Path, seconds: f64) -> anyhow::Result<[f64; 2]> {
    let folder = tempfile::tempdir_in(film.parent().unwrap_or(film))?;
    let at = folder.path();
    let started = Instant::now();
    let film = film.display().to_string();
    ffmpeg(at, encoding(&film)).await?;
    let ladder = started.elapsed().as_secs_f64();
    let shots = (0..SHOTS).map(|shot| (f64::from(shot) + 0.5) / f64::from(SHOTS) * seconds);
    ffmpeg(at, pictures(shots.chain([seconds / 3.0]))).await?;
    ffmpeg(at, preview(seconds)).await?;
    let timeline = "-i 240.m3u8 -vf fps=1/2,scale=160:90,tile=10x20 -q:v 6 -frames:v 1 -update 1 timeline.jpg";
    ffmpeg(at, timeline.split(' ')).await?;
    Ok([ladder, started.elapsed().as_secs_f64()])
}

/// Returns the arguments for one decoding pass for all heights: segments for each height, and one file for the largest.
fn encoding(film: &str) -> Vec<String> {
    let names: String = HEIGHTS.iter().map(|(_, height, ..)| format!("[s{height}]")).collect();
    let mut graph = format!("[0:v]split={}{names}", HEIGHTS.len());
    for (width, height, ..) in HEIGHTS {
        graph += &format!(";[s{height}]scale={width}:{height}:flags=bicubic,format=yuv420p[v{height}]");
    }
    let mut args: Vec<String> = ["-i", film, "-filter_complex", &graph].map(str::to_owned).into();
    for (_, height, crf, most, audio) in HEIGHTS {
        let segments = format!(
            "hls_time=4:hls_playlist_type=vod:hls_segment_type=fmp4:hls_fmp4_init_filename={height}-init.mp4:\
             hls_segment_filename={height}-%d.m4s"
        );
        let whole = if height == 720 { "|[f=mp4:movflags=+faststart]video.mp4" } else { "" };
        let output = format!("[f=hls:{segments}]{height}.m3u8{whole}");
        let rest = format!(
            "-map [v{height}] -map 0:a -c:v libx264 -preset veryfast -profile:v high -crf {crf} -maxrate {most}k -bufsize {}k \
             -g 100 -keyint_min 100 -sc_threshold 0 -c:a aac -ac 2 -ar 48000 -b:a {audio}k -flags +global_header -f tee",
            most * 2
        );
        args.extend(rest.split(' ').map(str::to_owned));
        args.push(output);
    }
    args
}

fn pictures(places: impl Iterator<Item = f64>) -> Vec<String> {
    let mut args = Vec::new();
    for at in places {
        // Without -t, everything after this position would be decoded too.
        args.extend(["-ss", &format!("{at:.3}"), "-t", "0.2", "-i", "video.mp4"].map(str::to_owned));
    }
    let mut graph: String =
        (0..SHOTS).map(|shot| format!("[{shot}:v]trim=end_frame=1,scale=640:360[s{shot}];")).collect();
    graph += &(0..SHOTS).map(|shot| format!("[s{shot}]")).collect::<String>();
    graph += &format!(
        "concat=n={SHOTS},setpts=N/TB,split=3[large][a][b];[a]scale=320:180[small];[b]scale=160:90,tile={SHOTS}x1[sprite];\
         [{SHOTS}:v]trim=end_frame=1,split=2[p][q];[p]format=yuvj420p[jpeg];[q]format=yuv420p[webp]"
    );
    args.extend(["-filter_complex".to_owned(), graph]);
    let outputs = "-map [small] -fps_mode passthrough -c:v libwebp shot-%d-320.webp \
         -map [large] -fps_mode passthrough -c:v libwebp shot-%d-640.webp -map [sprite] -c:v libwebp -frames:v 1 -update 1 sprite.webp \
         -map [jpeg] -q:v 4 -frames:v 1 -update 1 poster.jpg -map [webp] -c:v libwebp -frames:v 1 -update 1 poster.webp";
    args.extend(outputs.split_whitespace().map(str::to_owned));
    args
}

fn preview(seconds: f64) -> Vec<String> {
    let mut args = Vec::new();
    for part in 0..6 {
        let at = (f64::from(part) + 0.5) / 6.0 * seconds - 0.5;
        args.extend(["-ss", &format!("{at:.3}"), "-t", "1", "-i", "240.m3u8"].map(str::to_owned));
    }
    let graph = "concat=n=6:v=1:a=0,scale=320:180,fps=15,format=yuv420p[film]";
    let output = format!("-filter_complex {graph} -map [film] -c:v libx264 -preset veryfast -crf 30 -an preview.mp4");
    args.extend(output.split(' ').map(str::to_owned));
    args
}

async fn ffmpeg<A: AsRef<OsStr>>(folder: &Path, args: impl IntoIterator<Item = A>) -> anyhow::Result<()> {
    let mut command = Command::new("ffmpeg");
    command
        .current_dir(folder)
        .args(["-nostdin", "-v", "error", "-y"])
        .args(args)
        .stdin(Stdio::null())
        .kill_on_drop(true);
    let status = command.status().await?;
    ensure!(status.success(), "ffmpeg exited with {status}");
    Ok(())
}
