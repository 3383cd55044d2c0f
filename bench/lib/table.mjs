/** A Markdown table in which all columns except the first contain numbers. */
export function table(head, rows) {
  const rule = head.map((_, index) => (index === 0 ? "---" : "---:"));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Formats a number with thousands separators and the given number of decimals. */
export function figure(number, digits = 0) {
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return number.toLocaleString("en", options);
}

/** A change as a signed percentage. */
export const change = (from, to) => `${to >= from ? "+" : "−"}${figure(Math.abs(to / from - 1) * 100, 1)} %`;
