/** All of the page's looks. It follows the reader's choice of light or dark, and paper gets neither shadows nor colours behind text. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1b1f24; --faint: #66707b; --line: #d8dee4; --odd: #f4f6f8;
  --write: #2f6fba; --event: #6f7b88; --call: #1a7f4b; --state: #8250bf; --trouble: #c6302b; --waiting: #e3c26f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171b; --ink: #e4e8ec; --faint: #98a2ad; --line: #343b43; --odd: #1b2026;
    --write: #6aa6ea; --event: #9aa6b2; --call: #4fc284; --state: #b692e6; --trouble: #ff7b72; --waiting: #80672a;
  }
}
body { margin: 2rem auto; max-width: 76rem; padding: 0 1rem; background: var(--paper); color: var(--ink);
  font: 15px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.4rem; margin-bottom: 0.2rem; }
h2 { font-size: 1.1rem; margin-top: 2rem; }
p.faint, caption { color: var(--faint); text-align: left; }
svg { display: block; width: 100%; height: auto; border: 1px solid var(--line); font: 12px system-ui, sans-serif; }
svg .lane { fill: var(--paper); }
svg .lane.odd { fill: var(--odd); }
svg text { fill: var(--ink); }
svg .time { fill: var(--faint); text-anchor: middle; font-size: 11px; }
svg .tick { stroke: var(--line); }
svg .created, svg .deleted, svg .write { fill: var(--write); }
svg .event, svg .log { fill: var(--event); }
svg .call { fill: var(--call); }
svg .condition { fill: var(--state); }
svg .waiting { fill: var(--waiting); }
svg .trouble { fill: var(--trouble); }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; border-bottom: 2px solid var(--line); }
th, td { padding: 0.25rem 0.6rem; vertical-align: top; }
td { border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
td.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
tr:target { background: var(--odd); outline: 2px solid var(--write); }
tr.waiting { color: var(--faint); font-style: italic; }
tr.trouble td.what { color: var(--trouble); }
td.from { color: var(--faint); font-size: 0.85rem; }
@media print {
  body { margin: 0; max-width: none; font-size: 10px; }
  svg { break-inside: avoid; }
  tr { break-inside: avoid; }
  thead { display: table-header-group; }
}
`;
