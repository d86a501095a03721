//! The style sheet of every picture.

/// Light colours for all, dark ones for screens that ask for them. Labels have a rim in the colour
/// of the paper, so that they can be read where an arc passes behind them.
pub(super) const SHEET: &str = "
.symbolon{font-family:'Helvetica Neue',Helvetica,Arial,'Liberation Sans',system-ui,sans-serif}
.symbolon .paper{fill:#ffffff}
.symbolon .text,.symbolon .label,.symbolon .heading{fill:#1c2128}
.symbolon .heading,.symbolon .number{font-weight:600}
.symbolon .quiet{fill:#57606a}
.symbolon .label,.symbolon .weight{paint-order:stroke;stroke:#ffffff;stroke-width:3px;stroke-linejoin:round;stroke-opacity:.85}
.symbolon .weight{fill:#57606a}
.symbolon .number{fill:#1c2128}
.symbolon .node{fill:#ffffff;stroke:#1c2128;stroke-width:1.5}
.symbolon .bar{fill:#1c2128;stroke:#1c2128;stroke-width:1.5}
.symbolon .token{fill:#1c2128}
.symbolon .rule{fill:none;stroke:#8c959f;stroke-width:1}
.symbolon .arc{fill:none;stroke:#57606a;stroke-width:1.3}
.symbolon .dashed{stroke-dasharray:5 3}
.symbolon .head{fill:#57606a;stroke:none}
.symbolon .dense .arc{stroke-opacity:.45}
.symbolon .dense .head{fill-opacity:.7}
.symbolon .ring{fill:#ffffff;stroke:#57606a;stroke-width:1.3}
.symbolon .group{fill:#eef2f6;fill-opacity:.65;stroke:#8c959f;stroke-width:1}
.symbolon .panel{fill:none;stroke:#c8d0d8;stroke-width:1}
.symbolon .initial{fill:#dcebf7;stroke:#0072b2;stroke-width:3}
.symbolon .active{fill:#ffd591;stroke:#b35900;stroke-width:2.4}
.symbolon .dead{fill:#f3dfe9;stroke:#a3457a;stroke-width:2.4;stroke-dasharray:6 3}
.symbolon .bar.initial{fill:#0072b2}
.symbolon .bar.active{fill:#e08600}
.symbolon .bar.dead{fill:#a3457a}
@media screen and (prefers-color-scheme:dark){
.symbolon .paper{fill:#14181d}
.symbolon .text,.symbolon .label,.symbolon .heading,.symbolon .number{fill:#e8edf2}
.symbolon .label,.symbolon .weight{stroke:#14181d}
.symbolon .quiet,.symbolon .weight{fill:#a7b1bc}
.symbolon .node{fill:#1d232a;stroke:#d5dce3}
.symbolon .bar{fill:#d5dce3;stroke:#d5dce3}
.symbolon .token{fill:#f2f5f8}
.symbolon .rule{stroke:#6b7682}
.symbolon .arc{stroke:#9aa5b1}
.symbolon .head{fill:#9aa5b1}
.symbolon .ring{fill:#14181d;stroke:#9aa5b1}
.symbolon .group{fill:#222a33;stroke:#5d6874}
.symbolon .panel{stroke:#3a444f}
.symbolon .initial{fill:#12354d;stroke:#56b4e9}
.symbolon .active{fill:#5c3b00;stroke:#ffb000}
.symbolon .dead{fill:#4a2338;stroke:#e08fbd}
.symbolon .bar.initial{fill:#56b4e9}
.symbolon .bar.active{fill:#ffb000}
.symbolon .bar.dead{fill:#e08fbd}
}
";
