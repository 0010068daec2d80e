/** One accent, two rules, numbers in columns. Text on paper, soft text and text on the darkest shade pass WCAG AA in both schemes. */
export const style = `:root {
  color-scheme: light dark;
  --paper: #fcfbf8; --ink: #1e1d1a; --soft: #5d5a53; --line: #dcd8ce; --accent: #1d5c87; --wash: #f2efe7; --heat: #8cb9d6;
}
@media (prefers-color-scheme: dark) {
  :root { --paper: #16181b; --ink: #e9e6df; --soft: #a8a49a; --line: #363a40; --accent: #86bfe3; --wash: #1e2125; --heat: #2a5f82; }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body {
  margin: 0 auto; padding: 2.5rem clamp(1rem, 4vw, 3rem) 4rem; max-width: 92rem;
  background: var(--paper); color: var(--ink); font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
h1, h2 { font-family: "Iowan Old Style", Palatino, "Palatino Linotype", "Book Antiqua", Georgia, serif; font-weight: 600; line-height: 1.15; }
h1 { font-size: 2.4rem; margin: 0; }
h2 { font-size: 1.35rem; margin: 3rem 0 .5rem; }
.brand { margin: 0 0 .25rem; color: var(--soft); letter-spacing: .04em; }
.lede { font-size: 1.15rem; margin: .6rem 0; }
.how, #shown { color: var(--soft); max-width: 75ch; margin: .4rem 0 1rem; }
.how b { color: var(--ink); font-weight: 600; }
.controls { display: flex; flex-wrap: wrap; gap: .8rem 1.5rem; align-items: end; margin: 1.5rem 0 0; padding: 1rem 1.25rem; background: var(--wash); border-radius: 6px; }
.controls > label { display: grid; gap: .2rem; font-size: .85rem; color: var(--soft); max-width: 100%; }
fieldset { border: 0; margin: 0; padding: 0; width: 100%; display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; }
legend { float: left; width: 5rem; color: var(--soft); font-size: .85rem; padding: 0; }
fieldset label { overflow-wrap: anywhere; }
input[type="checkbox"] { accent-color: var(--accent); }
select, input[type="search"], .controls button {
  font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--soft); border-radius: 4px;
  padding: 0 .6rem; height: 2.1rem; font-size: .9rem; max-width: 100%;
}
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.scroll { overflow-x: auto; max-width: 100%; }
table { border-collapse: separate; border-spacing: 0; font-size: .9rem; font-variant-numeric: tabular-nums; min-width: 100%; }
caption { text-align: left; color: var(--soft); padding: .25rem 0; }
th, td { padding: .35rem .7rem; text-align: right; vertical-align: top; border-bottom: 1px solid var(--line); white-space: nowrap; }
thead th { vertical-align: bottom; font-weight: 600; border-bottom: 2px solid var(--ink); }
td.text, th.text, th[scope="row"], #heat thead th:nth-child(-n+2) { text-align: left; }
th[scope="row"] {
  position: sticky; left: 0; background: var(--paper); font-weight: 500; min-width: 15rem; max-width: 24rem; white-space: normal; overflow-wrap: anywhere;
}
thead button { position: relative; font: inherit; color: inherit; background: none; border: 0; padding: 0; text-align: inherit; cursor: pointer; white-space: normal; max-width: 8rem; }
thead button::before { position: absolute; right: 100%; bottom: 0; padding-right: .15em; color: var(--accent); }
th:first-child, td:first-child { padding-left: 1rem; }
thead .text button::before { right: auto; left: 100%; padding-left: .15em; }
html.js thead button:hover { color: var(--accent); }
html:not(.js) thead button { pointer-events: none; }
[aria-sort="ascending"] button::before { content: "\\2191"; }
[aria-sort="descending"] button::before { content: "\\2193"; }
.scale { display: block; font-weight: 400; color: var(--soft); font-size: .85em; }
.est .num { display: block; }
.est svg { display: block; width: 84px; height: 12px; margin-left: auto; }
.est small { display: block; color: var(--soft); font-size: .75rem; }
.est small:empty { display: none; }
.track { stroke: var(--line); stroke-width: 1; }
.ci { stroke: var(--accent); stroke-width: 5; opacity: .65; }
.value { stroke: var(--accent); stroke-width: 2; }
.none svg { visibility: hidden; }
html.js .chosen { background: var(--wash); }
html.js td.chosen .num { font-weight: 600; }
.rank { font-weight: 600; }
.group { color: var(--soft); }
.divider td { text-align: left; color: var(--soft); padding-top: 1.2rem; white-space: normal; }
#unranked .num, #unranked th[scope="row"] { font-style: italic; }
details { font-style: normal; font-weight: 400; color: var(--soft); font-size: .85rem; }
details ul { margin: .2rem 0; padding-left: 1.1rem; }
#heat td, #heat th { padding: .2rem .55rem; vertical-align: middle; }
#heat thead th { vertical-align: bottom; }
#heat td[data-system] { background: color-mix(in srgb, var(--heat) calc(var(--v) * 100%), transparent); border-bottom-color: var(--paper); }
#heat thead span { writing-mode: vertical-rl; transform: rotate(180deg); text-align: left; font-weight: 500; max-height: 17rem; overflow-wrap: anywhere; }
#heat thead th[data-system] { text-align: center; }
.best { font-weight: 700; }
.plot { display: block; width: 100%; min-width: 46rem; max-width: 72rem; height: auto; font-size: 11px; font-variant-numeric: tabular-nums; }
.plot text { fill: var(--soft); }
.plot .label { fill: var(--ink); font: 10.5px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; paint-order: stroke; stroke: var(--paper); stroke-width: 3px; stroke-linejoin: round; }
.plot .grid { stroke: var(--line); stroke-width: .6; }
.plot .error { stroke: var(--line); stroke-width: 1.6; }
.plot .leader { stroke: var(--soft); stroke-width: .6; stroke-dasharray: 2 2; fill: none; }
.plot .frontier { stroke: var(--ink); stroke-width: 1.4; stroke-dasharray: 6 3; fill: none; }
.plot .break { stroke: var(--ink); stroke-width: 1; }
.plot .mark { fill: var(--paper); stroke: var(--ink); stroke-width: 1.4; }
.plot .filled, .plot .half { fill: var(--ink); }
#costs-table thead th { white-space: normal; max-width: 8rem; }
@media (max-width: 40rem) {
  body { padding-top: 1.5rem; }
  h1 { font-size: 1.9rem; }
  th[scope="row"] { min-width: 8.5rem; max-width: 8.5rem; }
  .controls > label, .controls select, .controls input[type="search"] { width: 100%; }
  legend { float: none; width: 100%; }
  th, td { padding-left: .4rem; padding-right: .4rem; }
  #heat thead span { max-height: 12rem; }
  #heat tr > :nth-child(2), #heat tr > :nth-child(3), #heat tr > :nth-child(4) { display: none; }
}
@media print {
  :root { --paper: #fff; --ink: #000; --soft: #444; --line: #bbb; --accent: #000; --wash: #fff; --heat: #ccc; }
  body { max-width: none; padding: 0; font-size: 9pt; }
  .controls { display: none; }
  .scroll { overflow: visible; }
  th[scope="row"] { position: static; }
  tr, svg { break-inside: avoid; }
  h2, .how { break-after: avoid; }
  #heat td { print-color-adjust: exact; }
  table { font-size: 7pt; }
  th, td { padding: .15rem .3rem; }
  th[scope="row"] { min-width: 8rem; }
  .est svg { width: 50px; }
  @page { size: landscape; margin: 12mm; }
}
`;
