//! H.264 encoders of graphics cards. They are faster than x264, and need more bytes for the same quality.

use std::{
    fmt,
    os::unix::fs::FileTypeExt,
    path::{Path, PathBuf},
};

use lantern_config::{Encoder, Films, Rung};
use tokio::fs;

use super::{Rendition, words};
use crate::{Error, Result, tool::Tools};

/// The first graphics card of NVIDIA's driver, with the files through which all of its cards are controlled.
const NVIDIA: [&str; 3] = ["/dev/nvidia0", "/dev/nvidiactl", "/dev/nvidia-uvm"];
/// The smallest rendition of a usual ladder and a large one, which encoders are tried with.
const TRIED: [(u16, u32, u32); 2] = [(240, 426, 240), (1080, 1920, 1080)];
/// Frames of a trial. They are enough for frames that refer to later ones, and for a second key frame.
const FRAMES: u32 = 30;
/// Distance of key frames in a trial, in frames.
const BETWEEN: u32 = 15;

/// Kind of an encoder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// NVENC of NVIDIA's cards.
    Nvenc,
    /// VA-API of the kernel's drivers, for Intel and AMD.
    Vaapi,
    /// Quick Sync Video of Intel's processors and cards.
    Qsv,
}

impl Kind {
    /// ffmpeg's name of the encoder.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nvenc => "h264_nvenc",
            Self::Vaapi => "h264_vaapi",
            Self::Qsv => "h264_qsv",
        }
    }
}

/// A hardware encoder with its device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hardware {
    kind: Kind,
    devices: Vec<PathBuf>,
}

impl fmt::Display for Hardware {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}", self.kind.name(), self.device())
    }
}

/// The encoder that a machine uses for H.264.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// The hardware encoder, or `None` for x264.
    pub used: Option<Hardware>,
    /// Hardware encoders that the settings allow but this machine can't use, with the reasons.
    pub refused: Vec<(Kind, String)>,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.used {
            Some(hardware) => write!(f, "{hardware}")?,
            None => f.write_str("x264")?,
        }
        self.refused.iter().try_for_each(|(kind, why)| write!(f, "; not {}: {why}", kind.name()))
    }
}

impl Hardware {
    /// Returns an encoder with a render node. NVENC always uses the first card of NVIDIA's driver.
    #[must_use]
    pub fn new(kind: Kind, node: &Path) -> Self {
        let devices = match kind {
            Kind::Nvenc => NVIDIA.map(PathBuf::from).into(),
            Kind::Vaapi | Kind::Qsv => vec![node.to_owned()],
        };
        Self { kind, devices }
    }

    /// Tries the encoders that the settings allow, in their order, and returns the first one that works in the sandbox of films.
    pub async fn find(tools: &Tools, settings: &Films) -> Found {
        let kinds: &[Kind] = match settings.encoder {
            Encoder::Software => &[],
            // Quick Sync encodes better than the same card by VA-API.
            Encoder::Auto => &[Kind::Nvenc, Kind::Qsv, Kind::Vaapi],
            Encoder::Nvenc => &[Kind::Nvenc],
            Encoder::Vaapi => &[Kind::Vaapi],
            Encoder::Qsv => &[Kind::Qsv],
        };
        let mut found = Found::default();
        for kind in kinds {
            let hardware = Self::new(*kind, &settings.encoder_device);
            match hardware.check(tools).await {
                Ok(()) => {
                    found.used = Some(hardware);
                    break;
                }
                Err(error) => found.refused.push((*kind, error.to_string())),
            }
        }
        found
    }

    /// Files of the device, to which the encoder needs access.
    pub(crate) fn devices(&self) -> &[PathBuf] {
        &self.devices
    }

    fn device(&self) -> std::path::Display<'_> {
        self.devices[0].display()
    }

    /// Encodes some generated frames.
    async fn check(&self, tools: &Tools) -> Result<()> {
        let task = format!("trying {}", self.kind.name());
        let failed = |detail| Err(Error::Failed { program: "ffmpeg", task: task.clone(), detail });
        if !tools.has_encoder(self.kind.name()).await? {
            return failed("this ffmpeg lacks the encoder".to_owned());
        }
        for device in &self.devices {
            match fs::metadata(device).await {
                Ok(about) if about.file_type().is_char_device() => {}
                Ok(_) => return failed(format!("{} isn't a device", device.display())),
                Err(error) => return failed(format!("{}: {error}", device.display())),
            }
        }
        for (height, width, lines) in TRIED {
            let rung = Rung { height, crf: 24, max_rate: 2000, audio: 64 };
            let rendition = Rendition { rung, width, height: lines, is_copied: false };
            tools.with_devices(&self.devices).try_encoder(&task, self.trial(&rendition)).await?;
        }
        Ok(())
    }

    fn trial(&self, rendition: &Rendition) -> Vec<String> {
        let Rendition { width, height, .. } = rendition;
        let mut args = self.opening();
        args.extend(words(&format!("-f lavfi -i testsrc2=size={width}x{height}:rate=30 -frames:v {FRAMES}")));
        let graph = format!("[0:v]format=yuv420p{}[v{}]", self.upload(), rendition.rung.height);
        args.extend(["-filter_complex".to_owned(), graph]);
        args.extend(words(&format!(
            "-map [v{}] {} -f null -",
            rendition.rung.height,
            self.arguments(rendition.rung, BETWEEN)
        )));
        args
    }

    /// Returns the arguments that open the device. They come before the source.
    pub(super) fn opening(&self) -> Vec<String> {
        let device = self.device();
        match self.kind {
            Kind::Nvenc => Vec::new(),
            Kind::Vaapi => ["-init_hw_device".to_owned(), format!("vaapi=card:{device}")]
                .into_iter()
                .chain(words("-filter_hw_device card"))
                .collect(),
            Kind::Qsv => vec!["-init_hw_device".to_owned(), format!("qsv=card:hw_any,child_device={device}")],
        }
    }

    /// Returns the filters at the end of a rendition's graph.
    pub(super) const fn upload(&self) -> &'static str {
        match self.kind {
            Kind::Nvenc => "",
            Kind::Vaapi => ",format=nv12,hwupload",
            Kind::Qsv => ",format=nv12",
        }
    }

    /// Returns the arguments for the encoder. Key frames are exactly `between` frames apart, and later frames don't look behind them, as
    /// with x264.
    pub(super) fn arguments(&self, rung: Rung, between: u32) -> String {
        let Rung { crf, max_rate, .. } = rung;
        let limit = format!("-maxrate {max_rate}k -bufsize {}k", u64::from(max_rate) * 2);
        // Modes of constant quality with a maximum want an average, too. Equal to the maximum it would mean a constant bit rate.
        let average = format!("-b:v {}k", u64::from(max_rate) * 3 / 4);
        let name = self.kind.name();
        match self.kind {
            // Without a bit rate, the quality decides.
            Kind::Nvenc => format!(
                "-c:v {name} -gpu 0 -preset p5 -tune hq -profile:v high -rc vbr -cq {crf} -b:v 0 {limit} -g {between} -bf 2 \
                 -forced-idr 1 -no-scenecut 1 -pix_fmt yuv420p"
            ),
            Kind::Vaapi => format!(
                "-c:v {name} -profile:v high -rc_mode QVBR -global_quality {crf} {average} {limit} -g {between} -bf 2 \
                 -idr_interval 0"
            ),
            // A quality with a maximum means QVBR, too.
            Kind::Qsv => format!(
                "-c:v {name} -preset slow -profile:v high -global_quality {crf} {average} {limit} -g {between} -bf 2 -idr_interval 0 \
                 -adaptive_i 0 -adaptive_b 0 -flags +cgop -pix_fmt nv12"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// Options of every encoder, which ffmpeg's help for one of them doesn't list.
    const COMMON: [&str; 8] = ["c:v", "b:v", "maxrate", "bufsize", "g", "bf", "global_quality", "flags"];

    /// Returns whether ffmpeg's help for an encoder lists an option with a value.
    fn has_option(help: &str, name: &str, value: &str) -> bool {
        if name == "pix_fmt" {
            let formats = help.lines().find_map(|line| line.trim().strip_prefix("Supported pixel formats:"));
            return formats.is_some_and(|formats| formats.split(' ').any(|one| one == value));
        }
        let listed = format!("-{}", name.trim_end_matches(":v"));
        let mut lines = help.lines().skip_while(|line| line.split_whitespace().next() != Some(listed.as_str()));
        let Some(option) = lines.next() else { return false };
        let range = option.split_once("(from ").and_then(|(_, rest)| rest.split_once(')')?.0.split_once(" to "));
        let number = |text: &str| if text == "INT_MAX" { Some(f64::from(i32::MAX)) } else { text.parse::<f64>().ok() };
        if let Some(value) = number(value) {
            let is_boolean = option.contains("<boolean>") && (value == 0.0 || value == 1.0);
            let bounds = range.and_then(|(least, most)| Some(number(least)?..=number(most)?));
            return is_boolean || bounds.is_some_and(|bounds| bounds.contains(&value));
        }
        lines.take_while(|line| !line.trim().starts_with('-')).any(|line| line.split_whitespace().next() == Some(value))
    }

    #[test]
    fn arguments_are_options_of_the_encoders() {
        for kind in [Kind::Nvenc, Kind::Vaapi, Kind::Qsv] {
            let shown =
                Command::new("ffmpeg").args(["-hide_banner", "-h", &format!("encoder={}", kind.name())]).output();
            let help = String::from_utf8(shown.unwrap().stdout).unwrap();
            let rung = Rung { height: 720, crf: 24, max_rate: 2800, audio: 128 };
            let args: Vec<String> =
                words(&Hardware::new(kind, Path::new("/dev/dri/card")).arguments(rung, 100)).collect();
            let (pairs, rest) = args.as_chunks::<2>();
            assert!(rest.is_empty(), "{args:?}");
            for [name, value] in pairs {
                let name = name.strip_prefix('-').unwrap();
                let is_known = COMMON.contains(&name) || has_option(&help, name, value);
                assert!(is_known, "{}: -{name} {value}", kind.name());
            }
            assert!(!has_option(&help, "preset", "fastest-next") && !has_option(&help, "next", "1"));
        }
    }

    #[test]
    fn quality_and_limits_are_those_of_the_ladder() {
        let rung = Rung { height: 480, crf: 25, max_rate: 1400, audio: 96 };
        for (kind, quality) in
            [(Kind::Nvenc, "-cq 25"), (Kind::Vaapi, "-global_quality 25"), (Kind::Qsv, "-global_quality 25")]
        {
            let args = Hardware::new(kind, Path::new("/dev/dri/renderD128")).arguments(rung, 96);
            for part in [quality, "-maxrate 1400k -bufsize 2800k", "-g 96", "-profile:v high"] {
                assert!(args.contains(part), "{part}: {args}");
            }
        }
    }

    #[test]
    fn vaapi_uploads_frames_to_its_device() {
        let hardware = Hardware::new(Kind::Vaapi, Path::new("/dev/dri/renderD129"));
        let rung = Rung { height: 240, crf: 27, max_rate: 400, audio: 64 };
        let args = hardware.trial(&Rendition { rung, width: 426, height: 240, is_copied: false }).join(" ");
        assert!(args.starts_with("-init_hw_device vaapi=card:/dev/dri/renderD129 -filter_hw_device card "), "{args}");
        assert!(args.contains("format=nv12,hwupload[v240] -map [v240] -c:v h264_vaapi"), "{args}");
    }
}
