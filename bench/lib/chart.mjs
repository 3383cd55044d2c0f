const style = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .title { font-weight: 600 }
  .bar { fill: #8c959f }
  .ours { fill: #0969da }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .bar { fill: #6e7681 }
    .ours { fill: #4493f8 }
  }
`;
const width = 760;
const names = 220;
const numbers = 60;
const line = 24;

/**
 * Groups of horizontal bars as an SVG that is readable on light and on dark; each group has a scale of its own. What is
 * called cardbridge stands out.
 *
 * @param groups {{ title: string, values: { name: string, value: number }[] }[]}
 */
export function bars(title, groups) {
  let y = 28;
  const parts = [text(0, 16, title, "title")];
  for (const group of groups) {
    y += line;
    parts.push(text(0, y, group.title));
    const most = Math.max(...group.values.map(({ value }) => value));
    for (const { name, value } of group.values) {
      y += line;
      const length = Math.max(1, Math.round((value / most) * (width - names - numbers)));
      const kind = name.startsWith("cardbridge") ? "ours" : "bar";
      parts.push(
        text(names - 10, y, name, "", "end"),
        `<rect class="${kind}" x="${names}" y="${y - 13}" width="${length}" height="17" rx="2"/>`,
        text(names + length + 8, y, value.toFixed(0)),
      );
    }
    y += line / 2;
  }
  const height = y + line / 2;
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`;
  return `${[head, `<title>${title}</title>`, `<style>${style}</style>`, ...parts, "</svg>"].join("\n")}\n`;
}

function text(x, y, words, kind = "", anchor = "start") {
  return `<text x="${x}" y="${y}" class="${kind}" text-anchor="${anchor}">${words}</text>`;
}
