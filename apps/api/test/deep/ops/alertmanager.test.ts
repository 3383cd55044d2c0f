import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { parse, stringify } from "yaml";
import { unusedPort } from "../../support/unused-port.ts";
import { endWithTest, runVariables } from "../../support/with-test.ts";
import { firedAlarms } from "./alarms.ts";
import { opsFile } from "./ops-files.ts";

const configuration = () => parse(opsFile("prometheus/alertmanager.yml"));

/** The name of the program: Debian's package has a name of its own. */
const program = ["prometheus-alertmanager", "alertmanager"].find(isInstalled);

function isInstalled(name: string) {
  return spawnSync(name, ["--version"]).error === undefined;
}

/** An alarm's name without "Cardbridge", and the value of the label that says what it is about, such as `Backlog webhooks`. */
function wordsOf({ alertname = "", ...labels }: Record<string, string>) {
  const others = ["severity", "instance", "job", "run", "runbook_url"];
  const values = Object.entries(labels).flatMap(([name, value]) => (others.includes(name) ? [] : [value]));
  return [alertname.replace("Cardbridge", ""), ...values].join(" ");
}

/** The alarm with these words. */
function alarm(words: string): Record<string, string> {
  const found = firedAlarms().find((labels) => wordsOf(labels) === words);
  if (!found) throw new Error(`No test of promtool fires ${words}.`);
  return found;
}

/** Of alarms, those that matchers such as `alertname = CardbridgeDown` select. */
function matching(all: Record<string, string>[], matchers: string[]) {
  return matchers.reduce((left, matcher) => {
    const [, label = "", operator, quoted = ""] = /^(\w+) (=|!=|=~) (.*)$/.exec(matcher) ?? [];
    const value = quoted.replaceAll('"', "");
    if (operator === "!=") {
      expect([matcher, left.some((labels) => labels[label] === value)]).toEqual([matcher, true]);
      return left.filter((labels) => labels[label] !== value);
    }
    const pattern = new RegExp(`^(?:${value})$`);
    const selected = left.filter((labels) => pattern.test(labels[label] ?? ""));
    const [, before = "", list = value, after = ""] = /^(\w*)\((.*)\)$/.exec(value) ?? [];
    const named = list.split("|").map((each) => before + each + after);
    // Each name or value that the matcher lists is one of an alarm.
    expect([matcher, [...new Set(selected.map((labels) => labels[label]))].sort()]).toEqual([
      matcher,
      named.sort(),
    ]);
    return selected;
  }, all);
}

it("the example names only alarms and labels that exist, and silences none that is its own cause", () => {
  const known = firedAlarms();
  const rules = configuration().inhibit_rules.map((rule: Record<string, string[]>) => ({
    sources: matching(known, rule.source_matchers ?? []),
    targets: matching(known, rule.target_matchers ?? []),
  })) as { sources: object[]; targets: object[] }[];
  const consequences = (cause: object, seen: Set<object>): Set<object> => {
    const next = rules.filter(({ sources }) => sources.includes(cause)).flatMap(({ targets }) => targets);
    for (const each of next) if (!seen.has(each)) consequences(each, seen.add(each));
    return seen;
  };
  expect(known.filter((each) => consequences(each, new Set()).has(each))).toEqual([]);
});

/** A server of this process until the test ends. */
async function listen(handler: RequestListener) {
  const server = createServer(handler).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function temporaryFolder() {
  const folder = await mkdtemp(join(tmpdir(), "cardbridge-alertmanager-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Runs Prometheus or Alertmanager until the test ends, and returns its address. */
async function run(name: string, args: string[]) {
  const address = `127.0.0.1:${await unusedPort()}`;
  const options = { stdio: "ignore", detached: true, env: runVariables() } as const;
  endWithTest(spawn(name, [...args, `--web.listen-address=${address}`], options));
  const isReady = () =>
    fetch(`http://${address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isReady).toBe(true);
  return address;
}

describe("Alertmanager", () => {
  beforeEach(({ skip }) => skip(program === undefined, "not run: no alertmanager on this machine"));

  /** Starts Alertmanager with the example, whose receivers are this process, and returns what they get. */
  async function start(changes: object) {
    const received: string[] = [];
    const receiver = await listen(async (request, response) => {
      const { alerts } = JSON.parse(await text(request)) as { alerts: { labels: Record<string, string> }[] };
      received.push(
        `${request.url?.slice(1)}: ${alerts
          .map(({ labels }) => wordsOf(labels))
          .sort()
          .join(", ")}`,
      );
      response.end();
    });
    const { route, receivers, ...rest } = configuration();
    const local = receivers.map(({ name }: { name: string }) => ({
      name,
      webhook_configs: [{ url: `http://${receiver}/${name}`, send_resolved: false }],
    }));
    const folder = await temporaryFolder();
    const file = join(folder, "alertmanager.yml");
    await writeFile(file, stringify({ route: { ...route, ...changes }, receivers: local, ...rest }));
    const address = await run(program ?? "", [
      `--config.file=${file}`,
      `--storage.path=${folder}`,
      "--cluster.listen-address=",
    ]);
    async function fire(alerts: Record<string, string>[]) {
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify(alerts.map((labels) => ({ labels })));
      const { status } = await fetch(`http://${address}/api/v2/alerts`, { method: "POST", headers, body });
      expect(status).toBe(200);
    }
    /** Waits until all that fires was sent: a later alarm waits as long, so it comes after that. */
    async function sent(laterAlarm: string) {
      await fire([{ alertname: laterAlarm }]);
      await expect.poll(() => received).toContain(`tickets: ${laterAlarm}`);
      received.splice(received.indexOf(`tickets: ${laterAlarm}`), 1);
    }
    return { address, received, fire, sent };
  }

  it.each([
    ["files", ["DependencyAway files"], ["Errors", "Backlog submissions", "Backlog answers"]],
    ["files, and sends no webhooks", ["DependencyAway files", "Backlog webhooks"], ["Errors"]],
    ["the right keys", ["DependencyAway encryption-keys"], ["Errors", "NoWorker", "Backlog webhooks"]],
    [
      "a right account",
      ["ProviderMisconfigured submitKyc"],
      ["ProviderFails kyc", "Errors", "Backlog answers"],
    ],
    ["processes", ["Down"], ["DependencyAway database", "DependencyAway files", "Errors", "NoWorker"]],
    ["processes, and is confused", ["Down", "ProviderAnswersMismatched event"], ["Errors"]],
  ])("pages for each cause, and for none of its consequences, without %s", async (_, causes, others) => {
    const { received, fire, sent } = await start({ group_wait: "1s" });
    await fire([...causes, ...others].map(alarm));
    await sent("Later");
    expect(received.toSorted()).toEqual(causes.map((cause) => `pager: ${cause}`).toSorted());
  });

  it("pages once for each cause that Prometheus sees come and go", async ({ skip }) => {
    skip(!isInstalled("prometheus"), "not run: no prometheus on this machine");
    const { route } = configuration();
    const { address, received, sent } = await start({
      group_wait: scaled(route.group_wait),
      group_interval: scaled(route.group_interval),
    });
    const state = { database: true, provider: true, worker: true, processes: true, since: Date.now() };
    const prometheus = await startPrometheus(state, address);
    const firing = async () => {
      const { data } = (await (await fetch(`http://${prometheus}/api/v1/alerts`)).json()) as {
        data: { alerts: { state: string; labels: Record<string, string> }[] };
      };
      return data.alerts.flatMap(({ state, labels }) => (state === "firing" ? [wordsOf(labels)] : [])).sort();
    };
    const story = [
      ["database", "DependencyAway database", ["ConsoleUnusable service", "Errors", "NoWorker"]],
      ["provider", "ProviderFails", ["Backlog submissions", "Errors"]],
      ["worker", "NoWorker", ["Backlog webhooks", "ProcessDown"]],
      ["processes", "Down", ["ConsoleUnusable service", "ProcessDown", "ProcessDown"]],
    ] as const;
    for (const [part, cause, alarms] of story) {
      Object.assign(state, { [part]: false, since: Date.now() });
      await expect.poll(firing, { timeout: 300_000 }).toEqual([cause, ...alarms].sort());
      await sent(`After ${part}`);
      Object.assign(state, { [part]: true });
      await expect.poll(firing, { timeout: 300_000 }).toEqual([]);
    }
    await sent("After all");
    expect(received).toEqual([
      "pager: DependencyAway database",
      "pager: ProviderFails",
      "tickets: ProcessDown",
      "pager: NoWorker",
      "pager: Down",
    ]);
  });
});

/** The milliseconds of a minute of the story. */
const minute = 1_000;

/** A duration of a configuration in the story's time. */
function scaled(duration: string) {
  const [, count, unit] = /^(\d+)([smhd])$/.exec(duration) ?? [];
  const minutes = { s: 1 / 60, m: 1, h: 60, d: 1_440 }[unit as "s" | "m" | "h" | "d"];
  return `${Number(count) * minutes * minute}ms`;
}

/** What works, and since when something does not. */
interface State extends Record<"database" | "provider" | "worker" | "processes", boolean> {
  since: number;
}

/** Starts Prometheus with the example and the alarms in the story's time. Its targets report what works. */
async function startPrometheus(state: State, alertmanager: string) {
  const folder = await temporaryFolder();
  const rules = parse(opsFile("prometheus/alerts.yml"));
  for (const rule of rules.groups.flatMap(({ rules }: { rules: Record<string, string>[] }) => rules)) {
    rule.expr = rule.expr.replace(/(?<=[[:])\d+[smhd](?=[\]:])/g, scaled);
    for (const key of ["for", "keep_firing_for"]) if (rule[key]) rule[key] = scaled(rule[key]);
  }
  await writeFile(join(folder, "alerts.yml"), stringify(rules));
  const { global, scrape_configs, ...rest } = parse(opsFile("prometheus/prometheus.yml"));
  for (const key of ["scrape_interval", "evaluation_interval"]) global[key] = scaled(global[key]);
  const [service, console_] = scrape_configs;
  for (const config of service.static_configs)
    config.targets = [await listen(target(() => serviceMetrics(state, config.labels.run)))];
  console_.static_configs = [{ targets: [await listen(target(() => consoleMetrics(state)))] }];
  const alerting = { alertmanagers: [{ static_configs: [{ targets: [alertmanager] }] }] };
  const file = join(folder, "prometheus.yml");
  await writeFile(file, stringify({ global, ...rest, alerting, scrape_configs }));
  return run("prometheus", [`--config.file=${file}`, `--storage.tsdb.path=${folder}/data`]);
}

/** A process whose counters grow by what it returns at each scrape. One without metrics does not answer. */
function target(
  metrics: () => { counters: Record<string, number>; gauges: Record<string, number> } | undefined,
) {
  const totals: Record<string, number> = {};
  return ((_, response) => {
    const scraped = metrics();
    if (!scraped) return response.destroy();
    for (const [series, count] of Object.entries(scraped.counters))
      totals[series] = (totals[series] ?? 0) + count;
    const lines = Object.entries({ ...totals, ...scraped.gauges }).map((line) => `${line.join(" ")}\n`);
    response.setHeader("content-type", "text/plain; version=0.0.4");
    response.end(lines.join(""));
  }) satisfies RequestListener;
}

function serviceMetrics({ database, provider, worker, processes, since }: State, role: "api" | "worker") {
  if (!processes || (role === "worker" && !worker)) return;
  const [api, works] = [role === "api", database && provider];
  const requests = 'cardbridge_http_requests_total{route="/openapi/v1/cards/list",status=';
  const calls = 'cardbridge_provider_calls_total{operation="listCards",outcome=';
  const oldest = "cardbridge_kyc_records_waiting_oldest_seconds";
  return {
    counters: {
      [`${requests}"200"}`]: api && works ? 10 : 0,
      [`${requests}"503"}`]: api && !works ? 10 : 0,
      [`${calls}"done"}`]: api && works ? 10 : 0,
      [`${calls}"PROVIDER_UNAVAILABLE"}`]: api && !provider ? 10 : 0,
      'cardbridge_operation_calls_total{operation="kyc.resolveDue",outcome="done"}':
        !api && database ? 30 : 0,
      'cardbridge_webhook_attempts_total{outcome="delivered"}': !api && database ? 10 : 0,
    },
    gauges: {
      'cardbridge_dependency_ready{dependency="database"}': Number(database),
      'cardbridge_provider_breaker_state{endpoints="cards",state="open"}': Number(api && !provider),
      'cardbridge_paused{target="provider"}': 0,
      // A submission of the time before the story is what the provider has not answered.
      [`${oldest}{resolution="unresolved",needs_attention="false"}`]: provider ? 0 : 2_400,
      cardbridge_webhook_deliveries_oldest_seconds: worker ? 0 : ((Date.now() - since) / minute) * 60,
    },
  };
}

function consoleMetrics({ database, processes }: State) {
  const ready = 'cardbridge_console_dependency_ready{dependency="service"}';
  return { counters: {}, gauges: { [ready]: Number(database && processes) } };
}
