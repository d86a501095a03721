//! Logarithmic scales: where a number stands, and where the lines are.

use super::PlotUnit;

/// More lines than this are thinned out.
const MOST_LINES: i32 = 9;

/// A scale between two powers of its base.
pub(super) struct Scale {
    unit: PlotUnit,
    /// The lowest and the highest line, as exponents.
    lowest: i32,
    highest: i32,
    top: f64,
    bottom: f64,
}

/// A line across a panel.
pub(super) struct Line {
    pub(super) y: f64,
    pub(super) label: String,
}

impl Scale {
    /// The smallest scale that holds these numbers, drawn between these heights.
    pub(super) fn of(unit: PlotUnit, values: impl Iterator<Item = f64>, top: f64, bottom: f64) -> Scale {
        let exponents: Vec<f64> = values.map(|value| exponent(unit, value)).collect();
        let least = exponents.iter().copied().fold(f64::INFINITY, f64::min);
        let most = exponents.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (lowest, highest) = if exponents.is_empty() {
            let one = exponent(unit, 1.0).round() as i32;
            (one, one + 1)
        } else {
            (least.floor() as i32, most.ceil() as i32)
        };
        Scale { unit, lowest, highest: highest.max(lowest + 1), top, bottom }
    }

    /// The height at which a number stands.
    pub(super) fn height_of(&self, value: f64) -> f64 {
        self.height_at(exponent(self.unit, value))
    }

    /// The lines, from the lowest.
    pub(super) fn lines(&self) -> impl Iterator<Item = Line> {
        let stride = ((self.highest - self.lowest) / MOST_LINES + 1) as usize;
        (self.lowest..=self.highest).step_by(stride).map(|exponent| Line {
            y: self.height_at(f64::from(exponent)),
            label: written(self.unit, base(self.unit).powi(exponent)),
        })
    }

    fn height_at(&self, exponent: f64) -> f64 {
        let share = (exponent - f64::from(self.lowest)) / f64::from(self.highest - self.lowest);
        self.bottom - share.clamp(0.0, 1.0) * (self.bottom - self.top)
    }
}

fn base(unit: PlotUnit) -> f64 {
    match unit {
        PlotUnit::Seconds | PlotUnit::Count => 10.0,
        PlotUnit::Bytes => 4.0,
    }
}

/// The power of a number; what a clock or a counter cannot tell from nothing counts as the least it
/// can tell.
fn exponent(unit: PlotUnit, value: f64) -> f64 {
    let least = match unit {
        PlotUnit::Seconds => 0.001,
        PlotUnit::Bytes | PlotUnit::Count => 1.0,
    };
    let exponent = value.max(least).ln() / base(unit).ln();
    // A power of the base stands on its line, whatever the logarithm rounds to.
    if (exponent - exponent.round()).abs() < 1e-9 { exponent.round() } else { exponent }
}

/// A number as a reader takes it in.
pub(super) fn written(unit: PlotUnit, value: f64) -> String {
    match unit {
        PlotUnit::Seconds if value < 0.0995 => format!("{} ms", significant(value * 1000.0)),
        PlotUnit::Seconds => format!("{} s", significant(value)),
        PlotUnit::Bytes => {
            let units = [(1u64 << 40, "T"), (1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K")];
            match units.into_iter().find(|(size, _)| value >= *size as f64) {
                Some((size, letter)) => format!("{}{letter}", significant(value / size as f64)),
                None => format!("{} bytes", significant(value)),
            }
        }
        PlotUnit::Count if value < 1e6 => format!("{}", value.round()),
        PlotUnit::Count => format!("{value:.0e}"),
    }
}

/// Three digits that matter, no zeros after them.
fn significant(value: f64) -> String {
    let digits = match value.abs() {
        value if value >= 100.0 => 0,
        value if value >= 10.0 => 1,
        value if value >= 1.0 => 2,
        _ => 3,
    };
    let text = format!("{value:.digits$}");
    if digits == 0 { text } else { text.trim_end_matches('0').trim_end_matches('.').to_string() }
}
