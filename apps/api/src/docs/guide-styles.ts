/** The styles of the guides, in the colours of the docs page. */
export const guideStyles = `
:root {
  color-scheme: light dark;
  --text: light-dark(#2a2f45, #e7e7e7);
  --muted: light-dark(#5b6275, #a4a4a4);
  --page: light-dark(#fff, #0f0f0f);
  --panel: light-dark(#f6f6f6, #1a1a1a);
  --line: light-dark(#e4e4e7, #2d2d2d);
  --accent: light-dark(#0067b8, #6cb6ff);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 4rem; }
body {
  margin: 0;
  background: var(--page);
  color: var(--text);
  font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
a { color: var(--accent); text-underline-offset: 0.15em; }
header {
  position: sticky; top: 0; z-index: 1;
  display: flex; align-items: center; justify-content: space-between;
  height: 3.25rem; padding: 0 1.5rem;
  background: var(--page); border-bottom: 1px solid var(--line);
}
.brand { color: var(--text); font-weight: 650; text-decoration: none; }
.layout { display: flex; max-width: 76rem; margin: 0 auto; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a {
  display: block; padding: 0.35rem 0.75rem; border-radius: 0.375rem;
  color: var(--muted); text-decoration: none;
}
nav li a:hover, nav li a[aria-current] { background: var(--panel); color: var(--text); }
nav li a[aria-current] { font-weight: 600; }
nav li:last-child { margin-top: 0.75rem; padding-top: 0.75rem; border-top: 1px solid var(--line); }
.side {
  position: sticky; top: 3.25rem; flex: 0 0 16rem; align-self: flex-start;
  max-height: calc(100vh - 3.25rem); overflow: auto; padding: 1.75rem 1rem;
}
.menu { display: none; }
main { flex: 1; min-width: 0; max-width: 52rem; padding: 1.75rem 2rem 6rem; overflow-wrap: break-word; }
h1 { margin: 0 0 1rem; font-size: 2rem; line-height: 1.2; }
h2 { margin: 2.5rem 0 0.75rem; padding-top: 0.5rem; font-size: 1.375rem; line-height: 1.3; }
h3 { margin: 2rem 0 0.5rem; font-size: 1.0625rem; line-height: 1.35; }
.anchor { color: var(--muted); font-weight: 400; text-decoration: none; opacity: 0; }
:is(h2, h3, h4):hover .anchor, .anchor:focus { opacity: 1; }
:target { color: var(--accent); }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.875em; }
code { padding: 0.1em 0.3em; border-radius: 0.25rem; background: var(--panel); }
pre { margin: 0; padding: 0.875rem 1rem; overflow-x: auto; font-size: 0.8125rem; line-height: 1.55; }
pre code { padding: 0; background: none; font-size: inherit; }
.code { margin: 1rem 0; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--panel); overflow: hidden; }
figcaption { padding: 0.375rem 1rem; border-bottom: 1px solid var(--line); color: var(--muted); font-size: 0.75rem; }
.table { margin: 1rem 0; overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 0.9375rem; }
th, td { padding: 0.5rem 0.75rem 0.5rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
td:first-child code { overflow-wrap: normal; white-space: nowrap; }
@media (max-width: 60rem) {
  .side { display: none; }
  .menu { display: block; position: relative; }
  .menu summary { padding: 0.375rem 0.75rem; border: 1px solid var(--line); border-radius: 0.375rem; cursor: pointer; }
  .menu nav {
    position: absolute; right: 0; width: 16rem; max-height: 75vh; overflow: auto; margin-top: 0.5rem; padding: 0.75rem;
    background: var(--page); border: 1px solid var(--line); border-radius: 0.5rem; box-shadow: 0 0.5rem 1.5rem rgb(0 0 0 / 0.2);
  }
}
@media (max-width: 40rem) {
  header { padding: 0 1rem; }
  main { padding: 1.25rem 1rem 4rem; }
  h1 { font-size: 1.625rem; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table, tbody, tr, td { display: block; }
  tr { padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
  td { padding: 0.125rem 0; border: 0; }
  td:first-child { font-weight: 600; }
}
`;
