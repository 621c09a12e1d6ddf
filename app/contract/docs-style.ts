/** The one style sheet of the API page. A server may allow it by its hash; nothing else is loaded. */
export const docsStyle = `
:root {
  color-scheme: light dark;
  --ink: light-dark(#1d2430, #e6e9ef);
  --soft: light-dark(#5a6473, #9aa5b5);
  --paper: light-dark(#ffffff, #14181f);
  --panel: light-dark(#f5f7fa, #1b212b);
  --line: light-dark(#dfe4ec, #2c3543);
  --accent: light-dark(#0b5cad, #74b3ff);
  --get: light-dark(#1a7f4b, #62d196);
  --post: light-dark(#8a4b08, #f0b060);
  --code: light-dark(#eef2f7, #222a36);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
a { color: var(--accent); text-decoration: none; }
a:hover, a:focus-visible { text-decoration: underline; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem 1rem; z-index: 2; }
.layout { display: grid; grid-template: auto 1fr / 18rem minmax(0, 1fr); max-width: 84rem; margin: 0 auto; }
header { grid-area: 1 / 2; padding: 2rem 2.5rem 0; }
nav { grid-area: 1 / 1 / span 2; position: sticky; top: 0; align-self: start; height: 100vh; overflow-y: auto; padding: 2rem 1rem 3rem 1.5rem; border-right: 1px solid var(--line); font-size: .9rem; }
nav p { margin: 1.4rem 0 .3rem; font-size: .75rem; font-weight: 650; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: .15rem .4rem; border-radius: .3rem; color: var(--ink); }
nav li a:hover, nav li a:focus-visible { background: var(--panel); text-decoration: none; }
main { grid-area: 2 / 2; padding: 0 2.5rem 6rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.45rem; margin: 3.5rem 0 1rem; padding-bottom: .4rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.1rem; margin: 0 0 .4rem; }
h4 { font-size: .85rem; margin: 1.3rem 0 .4rem; color: var(--soft); font-weight: 650; }
p { max-width: 46rem; margin: .5rem 0; }
article { border: 1px solid var(--line); border-radius: .6rem; padding: 1.2rem 1.4rem; margin: 0 0 1.4rem; }
code, pre { font: .86em/1.5 ui-monospace, SFMono-Regular, Consolas, monospace; }
code { background: var(--code); padding: .1em .35em; border-radius: .25em; overflow-wrap: anywhere; }
pre { background: var(--code); padding: .9rem 1rem; border-radius: .5rem; overflow-x: auto; margin: .4rem 0; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
.route { display: flex; flex-wrap: wrap; align-items: baseline; gap: .6rem; margin: 0 0 .5rem; }
.method { font: 650 .8rem/1 ui-monospace, monospace; padding: .3rem .5rem; border-radius: .3rem; border: 1px solid currentcolor; }
.get { color: var(--get); }
.post { color: var(--post); }
.badges { display: flex; flex-wrap: wrap; gap: .4rem; margin: .5rem 0; padding: 0; list-style: none; font-size: .78rem; }
.badges li { border: 1px solid var(--line); border-radius: 1rem; padding: .05rem .6rem; color: var(--soft); }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; font-size: .78rem; }
td:first-child { white-space: nowrap; }
.required { color: var(--post); font-size: .75rem; font-weight: 600; }
.limits { display: block; color: var(--soft); font-size: .82rem; }
.lead { color: var(--soft); }
@media (max-width: 56rem) {
  .layout { display: block; }
  header { padding: 1.5rem 1rem 0; }
  nav { position: static; height: auto; padding: 0 1rem 1.5rem; border-right: 0; border-bottom: 1px solid var(--line); }
  main { padding: 1.5rem 1rem 4rem; }
}
@media (max-width: 40rem) {
  article { padding: 1rem; }
  thead { display: none; }
  table, tbody, tr, td { display: block; }
  tr { padding: .5rem 0; border-bottom: 1px solid var(--line); }
  td { border: 0; padding: .1rem 0; }
  td:first-child { white-space: normal; }
}
@media print { nav { display: none; } .layout { display: block; } article { break-inside: avoid; } }
`;
