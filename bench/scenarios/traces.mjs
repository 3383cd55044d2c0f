import { createServer } from "node:http";
import { lists, submits } from "../lib/requests.mjs";
import { compare } from "../lib/rounds.mjs";
import { figure, table } from "../lib/table.mjs";
import { createWorld } from "../lib/world.mjs";

/** The same list and submission without traces, with a hundredth of them, and with all of them. */
export async function run({ rounds, amount, say }) {
  using collector = await startCollector();
  await using world = await createWorld();
  const traced = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
  };
  const services = [
    { name: "off", process: await world.service({ RUN: "api" }) },
    {
      name: "a hundredth",
      process: await world.service({ RUN: "api", ...traced, OTEL_TRACES_SAMPLER_ARG: "0.01" }),
    },
    { name: "all", process: await world.service({ RUN: "api", ...traced }) },
  ];
  const analyze = () => world.database.query("analyze");
  const measured = (what, requests, count) =>
    compare(
      services.map((service) => ({ ...service, next: requests(world) })),
      { rounds, analyze, amount: count, say: (words) => say(`${what}, ${words}`) },
    );
  const list = await measured("list", lists, amount);
  const submission = await measured("submission", submits, Math.ceil(amount / 2));
  const rows = services.map(({ name }) => [name, ...figuresOf(list, name), ...figuresOf(submission, name)]);
  const columns = ["list, CPU µs", "÷ off", "p99 ms", "submission, CPU µs", "÷ off", "p99 ms"];
  return `${rounds} rounds of ${figure(amount)} lists and ${figure(amount / 2)} submissions each, over 32 connections. The collector received ${figure(collector.megabytes())} MB.

${table(["traces", ...columns], rows)}`;
}

function figuresOf(results, name) {
  const { cpu, p99 } = results.get(name);
  return [figure(cpu), figure(cpu / results.get("off").cpu, 2), figure(p99, 1)];
}

/** Accepts every export and only counts its bytes. */
async function startCollector() {
  let bytes = 0;
  const server = createServer((incoming, outgoing) => {
    incoming.on("data", (chunk) => {
      bytes += chunk.length;
    });
    incoming.on("end", () => outgoing.setHeader("content-type", "application/json").end("{}"));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    megabytes: () => bytes / 1e6,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
