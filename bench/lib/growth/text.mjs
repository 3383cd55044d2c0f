import { change, figure, table } from "../table.mjs";

const allowed = 0.1;

/** The measurements of the scenario as Markdown. */
export function textOf({
  few,
  many,
  full,
  seconds,
  sizes,
  passes,
  requests,
  worker,
  migration,
  perSubmission,
}) {
  const [small, large] = passes;
  const total = sumOf([...sizes.values()], bytesOf);
  const verdicts = requests.map(({ what, before, after }) => {
    const flat = (name) => (after[name] <= before[name] * (1 + allowed) ? "yes" : "no");
    return `Flat, ${what}: CPU ${flat("cpu")}, p99 ${flat("p99")}.`;
  });
  return `From ${figure(few)} to ${figure(many)} users. The large database has ${figure(sizes.get("kyc_records").rows)} records, ${figure(sizes.get("kyc_history").rows)} history rows and ${figure(sizes.get("webhook_deliveries").rows)} deliveries, and takes ${figure(total / 1e9, 1)} GB${full ? ", with ciphertext of 33 bytes" : ""}; it was filled in ${figure(seconds)} s.

${table(
  ["requests", "p50 ms", "p99 ms", "", "CPU µs", ""],
  requests.map(({ what, before, after }) => [
    what,
    pair(before.p50, after.p50, 1),
    pair(before.p99, after.p99, 1),
    change(before.p99, after.p99),
    pair(before.cpu, after.cpu),
    change(before.cpu, after.cpu),
  ]),
)}

${verdicts.join(" ")}

${table(
  ["a worker resolves 2,000 records, with their webhooks", "", ""],
  [
    ["records/s", "recordsPerSecond"],
    ["deliveries/s", "deliveriesPerSecond"],
    ["CPU µs a record", "cpu"],
  ].map(([what, name]) => [
    what,
    pair(worker.before[name], worker.after[name]),
    change(worker.before[name], worker.after[name]),
  ]),
)}

${table(
  ["one pass", "rows read", "blocks read", "ms"],
  [...small].map(([what, before]) => {
    const after = large.get(what);
    return [
      what,
      pair(before.rows, after.rows),
      pair(before.blocks, after.blocks),
      pair(before.ms, after.ms, 1),
    ];
  }),
)}

${table(
  [`a change of \`kyc_history\`, with ${figure(many)} users`, "s", "list, p99 ms", "submission, p99 ms"],
  migration.map(({ what, seconds, list, submission }) => [
    what,
    seconds === undefined ? "" : figure(seconds, 2),
    figure(list, 1),
    figure(submission, 1),
  ]),
)}

${table(
  ["bytes of a submission", "rows", "heap", "indexes", "TOAST", "all"],
  [...perSubmission, totalOf(perSubmission)].map((gains) => [
    gains.name,
    figure(gains.rows, 2),
    ...[gains.heap, gains.indexes, gains.toast, bytesOf(gains)].map((bytes) => figure(bytes)),
  ]),
)}`;
}

const pair = (before, after, digits = 0) => `${figure(before, digits)} → ${figure(after, digits)}`;
const bytesOf = ({ heap, indexes, toast }) => heap + indexes + toast;
const sumOf = (all, value) => all.reduce((sum, one) => sum + value(one), 0);

function totalOf(gains) {
  const of = (name) => sumOf(gains, (one) => one[name]);
  return { name: "all", rows: of("rows"), heap: of("heap"), indexes: of("indexes"), toast: of("toast") };
}
