//! Color palettes, which map the gray values of a field to a gradient of color stops.

use std::fmt::Write;

/// Returns a filter that smoothly maps the range from black to white to the stops (`0xRRGGBB`), from first to last.
pub(super) fn palette(stops: &[u32]) -> String {
    let mut filter = String::from("format=gbrp,curves=");
    let last = stops.len().saturating_sub(1).max(1);
    for (name, shift) in [('r', 16), ('g', 8), ('b', 0)] {
        let points = stops.iter().enumerate().map(|(at, stop)| {
            let level = f64::from((stop >> shift) & 0xff) / 255.0;
            format!("{:.3}/{level:.3}", at as f64 / last as f64)
        });
        let row = points.collect::<Vec<_>>().join(" ");
        let separator = if name == 'r' { "" } else { ":" };
        write!(filter, "{separator}{name}='{row}'").unwrap_or_else(|_| unreachable!("writing to a String"));
    }
    filter
}

#[cfg(test)]
mod tests {
    use super::palette;

    #[test]
    fn stops_are_spread_evenly() {
        assert_eq!(
            palette(&[0x00_0000, 0xff_0000, 0xff_ffff]),
            "format=gbrp,curves=r='0.000/0.000 0.500/1.000 1.000/1.000'\
             :g='0.000/0.000 0.500/0.000 1.000/1.000':b='0.000/0.000 0.500/0.000 1.000/1.000'"
        );
    }
}
