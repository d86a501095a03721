//! The colours of series, after Okabe and Ito as in all pictures, lighter on dark screens.

/// The number of distinct colours.
pub(super) const COLOURS: usize = 8;

/// The colour class of a series.
pub(super) fn colour(series: usize) -> usize {
    series % COLOURS
}

/// What a plot adds to the style sheet of pictures.
pub(super) const SHEET: &str = "
.symbolon .grid{fill:none;stroke:#dde3e9;stroke-width:1}
.symbolon .shade{fill:#f4f6f9}
.symbolon .guide{fill:none;stroke:#c3ccd5;stroke-width:1;stroke-dasharray:1 3}
.symbolon .sample{fill:#57606a;stroke:#57606a}
.symbolon .mark{stroke-width:1.6;stroke-linejoin:round}
.symbolon .c0{fill:#0072b2;stroke:#0072b2}
.symbolon .c1{fill:#d55e00;stroke:#d55e00}
.symbolon .c2{fill:#009e73;stroke:#009e73}
.symbolon .c3{fill:#b0568a;stroke:#b0568a}
.symbolon .c4{fill:#c98600;stroke:#c98600}
.symbolon .c5{fill:#3d9bd1;stroke:#3d9bd1}
.symbolon .c6{fill:#57606a;stroke:#57606a}
.symbolon .c7{fill:#8a6d1f;stroke:#8a6d1f}
.symbolon .mark.open{fill:#ffffff}
@media screen and (prefers-color-scheme:dark){
.symbolon .grid{stroke:#2c343d}
.symbolon .guide{stroke:#46525e}
.symbolon .sample{fill:#a7b1bc;stroke:#a7b1bc}
.symbolon .shade{fill:#191e24}
.symbolon .c0{fill:#56b4e9;stroke:#56b4e9}
.symbolon .c1{fill:#ff8a45;stroke:#ff8a45}
.symbolon .c2{fill:#3ccfa4;stroke:#3ccfa4}
.symbolon .c3{fill:#e08fbd;stroke:#e08fbd}
.symbolon .c4{fill:#ffb000;stroke:#ffb000}
.symbolon .c5{fill:#a6d8f5;stroke:#a6d8f5}
.symbolon .c6{fill:#a7b1bc;stroke:#a7b1bc}
.symbolon .c7{fill:#d8c47a;stroke:#d8c47a}
.symbolon .mark.open{fill:#14181d}
}
";
