//! The twelve scenes. Each consists of a source of slowly moving shapes, a color palette and a chord.
//!
//! Most sources compute a small gray field by formula at half the frame rate. Smooth scaling and frame blending cost little and hide the
//! field's small size. Such a field is colored at half the clip's size, which takes a quarter of the time.

use super::palette::palette;

/// Frames per second of every clip.
pub(super) const FPS: usize = 24;
/// Size of every clip, in pixels.
pub(super) const SIZE: &str = "854x480";

/// Scales to the clip's size.
const FULL: &str = "scale=854:480:flags=bicubic";
/// Scales to half the clip's size.
const HALF: &str = "scale=427:240:flags=bicubic";
/// Interpolates to the clip's frame rate.
const SMOOTH: &str = "framerate=fps=24";
/// Sample rate of the chord in hertz. The chord contains no frequency above a tenth of this.
const TONE_RATE: u32 = 8000;

/// A clip to render.
pub(super) struct Scene {
    /// Length in seconds. It is a multiple of four, the distance between key frames.
    pub seconds: usize,
    /// Source of the gray field.
    source: SceneSource,
    /// Colors from the field's darkest to its lightest value.
    colors: &'static [u32],
    chord: [f64; 3],
}

enum SceneSource {
    /// A formula over a 160x90 field, at 12 frames per second.
    Field(&'static str),
    /// A formula over a quarter of the picture, which is mirrored to the other three quarters.
    Mirrored(&'static str),
    /// A filter chain that produces a gray picture of any size.
    Chain(&'static str),
}

/// All scenes, in the order of their media keys.
pub(super) static SCENES: [Scene; 12] = [
    // Northern lights.
    Scene {
        seconds: 24,
        source: SceneSource::Field(
            "128+50*sin(X/21+T*0.45)+40*sin(Y/13-T*0.35+1.5*sin(X/34+T*0.2))+35*sin((X+Y)/29-T*0.3)",
        ),
        colors: &[0x0b_132b, 0x1c_2541, 0x3a_7d8c, 0x6f_ffe9, 0xf7_fff7],
        chord: [110.0, 164.81, 220.0],
    },
    // Silk folding over itself.
    Scene {
        seconds: 20,
        source: SceneSource::Field(
            "128+120*sin((X+22*sin(Y/19+T*0.31)+9*sin(X/11-T*0.23))/17+2*sin(Y/27-T*0.17)+T*0.4)",
        ),
        colors: &[0x22_0901, 0x62_1708, 0xbc_3908, 0xf6_aa1c, 0xff_f3d6],
        chord: [98.0, 146.83, 246.94],
    },
    // A coast that never ends.
    Scene {
        seconds: 20,
        source: SceneSource::Chain(
            "mandelbrot=s=640x360:rate=24:start_x=-0.743643887037158704752191506114774\
             :start_y=-0.131825904205311970493132056385139:start_scale=0.35:end_scale=0.0022:end_pts=500\
             :maxiter=700:inner=mincol:outer=normalized_iteration_count,format=gray,gblur=sigma=0.8",
        ),
        colors: &[0x0d_0221, 0x0f_4c81, 0x2e_c4b6, 0xff_e8a3, 0xff_7f51, 0x5c_164e],
        chord: [87.31, 130.81, 196.0],
    },
    // Embers that live and fade.
    Scene {
        seconds: 20,
        source: SceneSource::Chain(
            "life=s=107x60:rate=6:ratio=0.34:seed=11:mold=14:life_color=white:death_color=#909090:mold_color=#181818\
             ,format=gray,scale=854:480:flags=bicubic,gblur=sigma=6",
        ),
        colors: &[0x10_0b1a, 0x5f_0f40, 0xe3_6414, 0xff_d166, 0xff_fbe6],
        chord: [123.47, 185.0, 246.94],
    },
    // Rain running down a window.
    Scene {
        seconds: 24,
        source: SceneSource::Chain(
            "cellauto=s=80x45:rate=6:rule=30:seed=5:scroll=1:full=1,format=gray,scale=854:480:flags=bicubic,\
             gblur=sigma=4",
        ),
        colors: &[0x00_1219, 0x00_5f73, 0x0a_9396, 0x94_d2bd, 0xe9_d8a6],
        chord: [103.83, 155.56, 233.08],
    },
    // A tiled courtyard.
    Scene {
        seconds: 20,
        source: SceneSource::Chain("sierpinski=s=854x480:r=24:type=carpet:jump=30:seed=3,format=gray,gblur=sigma=7"),
        colors: &[0x2b_2d42, 0x8d_5b4c, 0xd9_8e73, 0xf2_d0a9, 0xf7_f4ea],
        chord: [92.5, 138.59, 220.0],
    },
    // Two stones in a pond.
    Scene {
        seconds: 24,
        source: SceneSource::Field(
            "128+60*sin(hypot(X-80-50*sin(T*0.23),Y-45-25*cos(T*0.31))/5-T*1.2)\
             +55*sin(hypot(X-80+50*sin(T*0.19),Y-45+25*cos(T*0.27))/6-T)",
        ),
        colors: &[0x03_071e, 0x02_3e8a, 0x00_96c7, 0x90_e0ef, 0xff_ffff],
        chord: [116.54, 174.61, 261.63],
    },
    // A rose opening.
    Scene {
        seconds: 20,
        source: SceneSource::Field(
            "128+70*sin(220/(hypot(X-80-12*sin(T*0.3),Y-45-8*cos(T*0.4))+9)+T*1.1)\
             +45*sin(atan2(Y-45,X-80)*5+T*0.5)",
        ),
        colors: &[0x2d_0a31, 0x6a_1b4d, 0xc9_184a, 0xff_758f, 0xff_e5ec],
        chord: [130.81, 196.0, 293.66],
    },
    // A kaleidoscope of leaves.
    Scene {
        seconds: 24,
        source: SceneSource::Mirrored("128+60*sin(X/7+T*0.5+sin(Y/9-T*0.3))+55*sin(Y/8-T*0.4+2*sin(X/15+T*0.25))"),
        colors: &[0x08_1c15, 0x1b_4332, 0x40_916c, 0xb7_e4c7, 0xff_d60a],
        chord: [97.99, 146.83, 195.99],
    },
    // Dunes at dusk.
    Scene {
        seconds: 20,
        source: SceneSource::Field(
            "clip(Y*1.4+52+45*sin(X/37+Y/9+T*0.25+1.2*sin(X/53-T*0.15))+22*sin(X/19-Y/5-T*0.33),0,255)",
        ),
        colors: &[0x35_2f5b, 0x7d_4e7e, 0xd9_7b66, 0xf6_bd60, 0xff_f1d0],
        chord: [82.41, 123.47, 207.65],
    },
    // Threads of light.
    Scene {
        seconds: 20,
        source: SceneSource::Chain(
            "aevalsrc='0.9*sin(2*PI*110*t)*cos(t*0.31)|0.9*sin(2*PI*165.2*t+t*0.4)':s=44100,\
             avectorscope=s=640x360:r=24:mode=lissajous_xy:draw=line:scale=lin:rc=190:gc=190:bc=190:rf=5:gf=5:bf=5\
             :zoom=1.2,format=gray,gblur=sigma=2.2",
        ),
        colors: &[0x0a_0618, 0x3c_096c, 0x9d_4edd, 0xe0_aaff, 0xff_ffff],
        chord: [110.0, 165.2, 277.18],
    },
    // Lanterns drifting.
    Scene {
        seconds: 24,
        source: SceneSource::Field(
            "34*log(1+6000/(6+pow(X-80-55*sin(T*0.31),2)+pow(Y-45-30*cos(T*0.23),2))\
             +6000/(6+pow(X-80-60*sin(T*0.17+2),2)+pow(Y-45-33*cos(T*0.29+1),2))\
             +5000/(7+pow(X-80-40*sin(T*0.41+4),2)+pow(Y-45-28*cos(T*0.37+3),2)))",
        ),
        colors: &[0x03_0712, 0x14_1e46, 0x7b_2d26, 0xff_8c42, 0xff_f0c9],
        chord: [98.0, 130.81, 164.81],
    },
];

impl Scene {
    /// Returns the filter graph with the outputs `[v]` and `[a]`.
    pub(super) fn graph(&self) -> String {
        let field = |size: &str, formula: &str| format!("color=black:s={size}:r=12,format=gray,geq=lum='{formula}'");
        let (source, size) = match self.source {
            SceneSource::Field(formula) => (field("160x90", formula), HALF),
            SceneSource::Mirrored(formula) => {
                let quarter = field("80x45", formula);
                let mirror = "split[m0][m1];[m1]hflip[m2];[m0][m2]hstack,split[m3][m4];[m4]vflip[m5];[m3][m5]vstack";
                (format!("{quarter},{mirror}"), HALF)
            }
            SceneSource::Chain(chain) => (chain.to_owned(), FULL),
        };
        let colors = palette(self.colors);
        format!("{source},{size},{SMOOTH},{colors},format=yuv420p,{FULL},setsar=1[v];{}[a]", self.tone())
    }

    /// Returns a soft chord whose notes swell and fade in turn, slightly detuned between the channels.
    fn tone(&self) -> String {
        let side = |detune: f64| {
            let notes = self.chord.iter().enumerate().map(|(at, hertz)| {
                let (pitch, swell) = (hertz + detune, 0.05 + 0.02 * at as f64);
                format!("0.05*sin(2*PI*{pitch:.2}*t)*(0.55+0.45*sin(2*PI*{swell:.2}*t+{at}))")
            });
            notes.collect::<Vec<_>>().join("+")
        };
        let fade_out = self.seconds - 2;
        format!(
            "aevalsrc='{}|{}':s={TONE_RATE},aresample=44100,afade=in:st=0:d=2,afade=out:st={fade_out}:d=2,asetnsamples=1024",
            side(0.0),
            side(0.4)
        )
    }
}

/// Returns the shortest possible scene, for tests.
#[cfg(test)]
pub(super) fn short() -> Scene {
    Scene {
        seconds: 4,
        source: SceneSource::Field("128+100*sin(X/21+T)"),
        colors: &[0x00_0000, 0xff_ffff],
        chord: [110.0, 165.0, 220.0],
    }
}

#[cfg(test)]
mod tests {
    use super::SCENES;

    #[test]
    fn clips_take_20_to_40_seconds_in_whole_segments() {
        assert!(SCENES.iter().all(|scene| (20..=40).contains(&scene.seconds) && scene.seconds % 4 == 0));
    }
}
