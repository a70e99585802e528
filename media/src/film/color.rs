//! Colors of a film: what its numbers mean, and how to convert those that players of ordinary films can't show.

/// Brightness in cd/m² that white has in films with a high dynamic range (ITU-R BT.2408), and that is shown as white.
const WHITE: f64 = 203.0;
/// Flags for the scale filter to convert colors without an error that is visible in plain areas.
pub const EXACT: &str = "flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp";
/// Maximum brightness in cd/m² that remains distinguishable, which is what such films are usually mastered for.
const PEAK: f64 = 1000.0;
/// Brightness, as a share of white, up to which nothing changes. What is brighter is compressed.
const KNEE: f64 = 0.8;
/// Exponent of a display for ordinary films (ITU-R BT.1886).
const GAMMA: f64 = 2.4;
/// Longer and shorter side of a picture in pixels above which a film without any mark has the colors of HDTV, as players assume.
const SD: (u32, u32) = (1024, 576);

/// White in the RGB with 16 bits that the scale filter produces.
const WHITE_CODE: u32 = 0xff00;

/// How brightness is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Transfer {
    /// Relative to the display's white.
    Sdr,
    /// Perceptual quantizer, SMPTE ST 2084.
    Pq,
    /// Hybrid log-gamma, ARIB STD-B67.
    Hlg,
}

/// Meaning of a film's numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Color {
    /// Name of the matrix as the scale filter knows it.
    matrix: &'static str,
    transfer: Transfer,
    /// Whether the primaries are those of BT.2020, which are more saturated.
    is_wide: bool,
    /// Whether all codes are used, instead of 16 to 235.
    is_full: bool,
    /// Matrix, transfer and primaries of the output, by ffmpeg's names.
    tags: [&'static str; 3],
    /// Whether the film has these marks already.
    is_marked: bool,
}

/// What ffprobe says about colors.
#[derive(Debug, Default, Clone, Copy)]
pub struct ColorMarks<'a> {
    pub space: Option<&'a str>,
    pub transfer: Option<&'a str>,
    pub primaries: Option<&'a str>,
    pub range: Option<&'a str>,
    pub pixels: Option<&'a str>,
}

const BT709: [&str; 3] = ["bt709"; 3];
const BT601: [&str; 3] = ["smpte170m"; 3];
const PAL: [&str; 3] = ["bt470bg", "smpte170m", "bt470bg"];

impl Color {
    /// Reads the marks of a film whose stored pictures have this size.
    pub fn of(marks: &ColorMarks, (width, height): (u32, u32)) -> Self {
        let transfer = match marks.transfer {
            Some("smpte2084") => Transfer::Pq,
            Some("arib-std-b67") => Transfer::Hlg,
            _ => Transfer::Sdr,
        };
        let is_wide = marks.primaries == Some("bt2020");
        let is_rgb =
            marks.pixels.is_some_and(|name| ["rgb", "bgr", "gbr", "pal8"].iter().any(|rgb| name.contains(rgb)));
        let (matrix, own) = match marks.space {
            _ if is_rgb => ("auto", BT709),
            Some("bt709") => ("bt709", BT709),
            Some("smpte170m") => ("smpte170m", BT601),
            Some("bt470bg") => ("smpte170m", PAL),
            Some("fcc") => ("fcc", BT709),
            Some("smpte240m") => ("smpte240m", BT709),
            Some("bt2020nc" | "bt2020c") => ("bt2020", BT709),
            _ if is_wide => ("bt2020", BT709),
            _ if width.max(height) > SD.0 || width.min(height) > SD.1 => ("bt709", BT709),
            _ => ("smpte170m", BT601),
        };
        let is_full = marks.range == Some("pc") || marks.pixels.is_some_and(|name| name.starts_with("yuvj"));
        let tags = if transfer != Transfer::Sdr || is_wide { BT709 } else { own };
        let is_marked = [marks.space, marks.transfer, marks.primaries] == tags.map(Some) && marks.range == Some("tv");
        Self { matrix, transfer, is_wide, is_full, tags, is_marked }
    }

    /// Returns whether the numbers stay the same in the output.
    pub fn is_kept(&self) -> bool {
        !self.is_full && !self.is_mapped() && self.matrix == self.scale_matrix()
    }

    /// Returns whether brightness or primaries have to be converted.
    fn is_mapped(&self) -> bool {
        self.is_wide || self.transfer != Transfer::Sdr
    }

    fn scale_matrix(&self) -> &'static str {
        if self.tags == BT709 { "bt709" } else { "smpte170m" }
    }

    fn input_range(&self) -> &'static str {
        match (self.matrix, self.is_full) {
            ("auto", _) => "auto",
            (_, true) => "full",
            (_, false) => "limited",
        }
    }

    /// Returns filters that convert brightness and primaries, each followed by a comma. They result in RGB, so that any ffmpeg can do it:
    /// not every build has zscale.
    pub fn mapping(&self) -> String {
        if !self.is_mapped() {
            return String::new();
        }
        let top = if self.transfer == Transfer::Sdr { 1.0 } else { PEAK / WHITE };
        let [light, code] =
            [self.light(), code(top)].map(|formula| format!("lutrgb=r='{formula}':g='{formula}':b='{formula}'"));
        let mix = if self.is_wide {
            // From the primaries of BT.2020 to those of BT.709 (ITU-R BT.2407).
            "colorchannelmixer=1.6605:-0.5876:-0.0728:0:-0.1246:1.1329:-0.0083:0:-0.0182:-0.1006:1.1187:0,"
        } else {
            ""
        };
        format!(
            "scale={EXACT}:in_color_matrix={}:in_range={},format=gbrp16,{light},{mix}{code},",
            self.matrix,
            self.input_range()
        )
    }

    /// Returns a formula for `lutrgb` that turns a code into light, where 65535 is the maximum.
    fn light(&self) -> String {
        let light = match self.transfer {
            Transfer::Sdr => format!("pow(val/{WHITE_CODE},{GAMMA})"),
            // The numbers are from the standards. `st` keeps what is used twice.
            Transfer::Pq => format!(
                "st(0,pow(val/{WHITE_CODE},1/78.84375));\
                 min(1,pow(max(ld(0)-0.8359375,0)/(18.8515625-18.6875*ld(0)),1/0.1593017578125)*10000/{PEAK})"
            ),
            Transfer::Hlg => format!(
                "st(0,val/{WHITE_CODE});\
                 pow(if(lte(ld(0),0.5),ld(0)*ld(0)/3,(exp((ld(0)-0.55991073)/0.17883277)+0.28466892)/12),1.2)"
            ),
        };
        match light.rsplit_once(';') {
            Some((first, last)) => format!("{first};65535*{last}"),
            None => format!("65535*{light}"),
        }
    }

    /// Returns options for the scale filter, each preceded by a colon.
    pub fn scaling(&self) -> String {
        let out = self.scale_matrix();
        if self.is_mapped() {
            format!(":{EXACT}:out_color_matrix={out}:out_range=limited")
        } else if self.is_kept() {
            ":flags=bicubic".to_owned()
        } else {
            format!(
                ":{EXACT}:in_color_matrix={}:out_color_matrix={out}:in_range={}:out_range=limited",
                self.matrix,
                self.input_range()
            )
        }
    }

    /// Returns the filter that marks pictures of the output.
    pub fn marking(&self) -> String {
        let [space, transfer, primaries] = self.tags;
        format!("setparams=range=limited:colorspace={space}:color_trc={transfer}:color_primaries={primaries}")
    }

    /// Returns the bitstream filter that marks copied H.264, unless it is marked. Its numbers are from ITU-T H.273.
    pub fn copied_marking(&self) -> Option<String> {
        if self.is_marked {
            return None;
        }
        let number = |name| match name {
            "bt709" => 1,
            "bt470bg" => 5,
            _ => 6,
        };
        let [space, transfer, primaries] = self.tags.map(number);
        Some(format!(
            "h264_metadata=video_full_range_flag=0:matrix_coefficients={space}:transfer_characteristics={transfer}:\
             colour_primaries={primaries}"
        ))
    }
}

/// Returns a formula for `lutrgb` that turns light into a code. Light at the maximum is `top` times white.
fn code(top: f64) -> String {
    let light = format!("val/65535*{top}");
    if top <= 1.0 {
        return format!("65535*pow({light},1/{GAMMA})");
    }
    // This curve continues a line smoothly and reaches 1 at the top ("mobius" in ffmpeg's tonemap filter).
    let a = -KNEE * KNEE * (top - 1.0) / (KNEE * KNEE - 2.0 * KNEE + top);
    let b = (KNEE * KNEE - 2.0 * KNEE * top + top) / (top - 1.0);
    let scale = (b * b + 2.0 * b * KNEE + KNEE * KNEE) / (b - a);
    format!("st(0,{light});65535*pow(if(lte(ld(0),{KNEE}),ld(0),{scale}*(ld(0)+{a})/(ld(0)+{b})),1/{GAMMA})")
}
