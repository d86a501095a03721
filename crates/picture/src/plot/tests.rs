use super::*;

fn heights(unit: PlotUnit, values: &[f64]) -> Vec<f64> {
    let scale = Scale::of(unit, values.iter().copied(), 0.0, 100.0);
    values.iter().map(|value| scale.height_of(*value)).collect()
}

fn labels(unit: PlotUnit, values: &[f64]) -> Vec<String> {
    Scale::of(unit, values.iter().copied(), 0.0, 100.0).lines().map(|line| line.label).collect()
}

#[test]
fn equal_factors_are_equal_distances() {
    assert_eq!(heights(PlotUnit::Seconds, &[0.01, 0.1, 1.0]), [100.0, 50.0, 0.0]);
    assert_eq!(heights(PlotUnit::Bytes, &[1024.0, 4096.0]), [100.0, 0.0]);
    let middle = heights(PlotUnit::Count, &[1.0, 10f64.sqrt(), 10.0])[1];
    assert!((middle - 50.0).abs() < 1e-6, "{middle}");
    // Nothing at all, and less than a clock can tell, stand on the lowest line.
    assert_eq!(heights(PlotUnit::Seconds, &[0.0, 0.0005, 0.001]), [100.0, 100.0, 100.0]);
}

#[test]
fn lines_have_round_labels() {
    let check = |unit, values: &[f64], expected: &[&str]| assert_eq!(labels(unit, values), expected);
    check(PlotUnit::Seconds, &[0.0123, 4.0], &["10 ms", "0.1 s", "1 s", "10 s"]);
    check(PlotUnit::Bytes, &[7e6, 3e8], &["4M", "16M", "64M", "256M", "1G"]);
    check(PlotUnit::Count, &[3.0, 5.0], &["1", "10"]);
    check(PlotUnit::Seconds, &[], &["1 s", "10 s"]);
    check(PlotUnit::Seconds, &[10.0], &["10 s", "100 s"]);
    assert!(labels(PlotUnit::Count, &[1.0, 1e300]).len() <= 11);
}

/// A series with a colour and a shape of its own.
fn series((index, name): (usize, &str)) -> PlotSeries {
    PlotSeries { name: name.to_string(), colour: index, shape: index }
}

fn example() -> Plot {
    let marks = |values: [[f64; 2]; 2]| -> Vec<Vec<PlotMark>> {
        values.iter().map(|group| group.iter().map(|value| PlotMark::At(*value)).collect()).collect()
    };
    let mut seconds = marks([[0.01, 2.5], [0.3, 60.0]]);
    seconds[1][1] = PlotMark::Beyond("timeout".into());
    Plot {
        title: "a & b < c".into(),
        groups: vec!["kanban:5".into(), "größe \"1\" | <2>".into()],
        series: ["bfs", "satu<ration"].into_iter().enumerate().map(series).collect(),
        colours: Vec::new(),
        shapes: Vec::new(),
        beyond: "no answer".into(),
        panels: vec![
            PlotPanel { title: "time".into(), unit: PlotUnit::Seconds, marks: seconds },
            PlotPanel {
                title: "memory".into(),
                unit: PlotUnit::Bytes,
                marks: marks([[1e6, 2e6], [3e7, 1e8]]),
            },
        ],
    }
}

/// How many tags of an SVG picture open and close; every other one closes itself.
fn check_nesting(svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    for piece in svg.split('<').skip(1) {
        let (tag, _) = piece.split_once('>').unwrap_or_else(|| panic!("no end of a tag in {piece}"));
        let name = tag.split([' ', '/']).next().unwrap_or_default();
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(closed));
        } else if !tag.ends_with('/') {
            open.push(name);
        }
        assert!(piece.matches('>').count() == 1 || name == "style" || tag == "/style", "{piece}");
    }
    assert!(open.is_empty(), "not closed: {open:?}");
}

#[test]
fn a_plot_is_well_formed_and_shows_every_mark() {
    let svg = plot(&example());
    check_nesting(&svg);
    assert_eq!(svg.matches("class=\"guide").count(), 8, "{svg}");
    assert_eq!(svg.matches(" open\"").count(), 1, "{svg}");
    assert_eq!(svg.matches(">no answer<").count(), 1, "only the panel that needs it has a strip: {svg}");
    for told in [
        "kanban:5, bfs: 10 ms",
        "größe &quot;1&quot; | &lt;2&gt;, satu&lt;ration: timeout",
        "kanban:5, bfs: 977K",
    ] {
        assert!(svg.contains(&format!("<title>{told}</title>")), "no {told} in {svg}");
    }
}

#[test]
fn odd_plots_are_drawn_too() {
    check_nesting(&plot(&Plot::default()));
    let mut odd = example();
    odd.groups = (0..40).map(|index| format!("a rather long name of a model, number {index}")).collect();
    odd.series = (0..9).map(|index| series((index, &format!("series {index}")))).collect();
    odd.panels[0].marks = vec![vec![PlotMark::At(f64::NAN), PlotMark::At(-3.0)]; 50];
    odd.panels[1].marks = vec![vec![PlotMark::None, PlotMark::Beyond(String::new())]];
    let svg = plot(&odd);
    check_nesting(&svg);
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    assert!(svg.contains("rotate(-35)"), "long names are written aslant");
}

#[test]
fn colours_and_shapes_may_mean_two_things() {
    let mut both = example();
    both.colours = vec!["mdd".into(), "set".into()];
    both.shapes = vec!["saturation".into()];
    both.series[1].shape = 0;
    let svg = plot(&both);
    check_nesting(&svg);
    for (part, count) in
        [("class=\"mark sample\"", 1), (">mdd</text>", 1), (">saturation</text>", 1), (">bfs</text>", 0)]
    {
        assert_eq!(svg.matches(part).count(), count, "{part} in {svg}");
    }
    assert_eq!(svg.matches("<rect class=\"c").count(), 2, "a sample for each colour: {svg}");
}
