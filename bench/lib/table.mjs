/** A table in Markdown; all columns but the first are numbers. */
export function table(head, rows) {
  const rule = head.map((_, index) => (index === 0 ? "---" : "---:"));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** A number for people: thousands apart, and so many digits behind the point. */
export function figure(number, digits = 0) {
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return number.toLocaleString("en", options);
}

/** A change as a signed percentage. */
export const change = (from, to) => `${to >= from ? "+" : "−"}${figure(Math.abs(to / from - 1) * 100, 1)} %`;
