/** Results as a table in Markdown, with what each costs against the floor. */
export function table(results) {
  const floor = results.get("floor");
  const rows = [...results].map(([name, { perSecond, cpu, p50, p99, memory }]) => [
    name,
    perSecond.toFixed(0),
    cpu.toFixed(0),
    (cpu / floor.cpu).toFixed(2),
    p50.toFixed(1),
    p99.toFixed(1),
    memory.toFixed(0),
  ]);
  const head = ["", "requests/s", "CPU µs", "× floor", "p50 ms", "p99 ms", "MB"];
  const lines = [head, head.map((_, index) => (index === 0 ? "---" : "---:")), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
