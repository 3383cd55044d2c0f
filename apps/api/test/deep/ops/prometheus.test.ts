import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parse, parseAllDocuments, stringify } from "yaml";
import { alarms, queries } from "./alarms.ts";
import { composeFile, kubernetesObjects, opsFile, opsPath } from "./ops-files.ts";

const runbook = readFileSync(new URL("../../../../../docs/operate/runbook.md", import.meta.url), "utf8");
const pages = [...runbook.matchAll(/^## (Cardbridge\w+)$/gm)].map(([, name]) => name);
const temporary = mkdtempSync(join(tmpdir(), "cardbridge-alarms-"));
afterAll(() => rmSync(temporary, { recursive: true }));

it("every alarm has a severity, a summary and its page in the runbook", () => {
  for (const { alert, labels, annotations } of alarms()) {
    expect([alert, labels.severity]).toEqual([alert, expect.stringMatching(/^(page|ticket)$/)]);
    expect(annotations.summary).toMatch(/\.$/);
    expect(annotations.runbook_url).toBe(`{{ $externalLabels.runbook_url }}#${alert.toLowerCase()}`);
  }
  const { global } = parse(opsFile("prometheus/prometheus.yml"));
  expect(global.external_labels.runbook_url).toMatch(/^https:\/\/.+\/docs\/operate\/runbook$/);
  expect(pages).toEqual(alarms().map(({ alert }) => alert));
});

it("a test of promtool fires every alarm", () => {
  const { tests } = parse(opsFile("prometheus/alerts.test.yml"), { merge: true }) as {
    tests: { alert_rule_test: { alertname: string; exp_alerts?: object[] }[] }[];
  };
  const fired = tests.flatMap((test) => test.alert_rule_test.filter(({ exp_alerts }) => exp_alerts));
  expect(alarms().filter(({ alert }) => !fired.some(({ alertname }) => alertname === alert))).toEqual([]);
});

it("every page describes the meaning, the checks, the actions and the end of its alarm", () => {
  const parts = runbook.split(/^## /m).filter((part) => part.startsWith("Cardbridge"));
  for (const part of parts) {
    const heads = [...part.matchAll(/^\*\*([\w ]+?)\.?\*\*/gm)].map(([, head]) => head);
    expect([part.split("\n")[0], heads]).toEqual([
      part.split("\n")[0],
      ["Meaning", "Look at", "Do", "Over when"],
    ]);
  }
});

it("Prometheus scrapes every process of compose.yaml, and Grafana reads that Prometheus", () => {
  const { scrape_configs } = parse(opsFile("prometheus/prometheus.yml"));
  const targetsOf = (job: string) =>
    scrape_configs
      .find((config: { job_name: string }) => config.job_name === job)
      .static_configs.flatMap((config: { targets: string[] }) => config.targets);
  const targets = targetsOf("cardbridge");
  const processes = Object.entries(composeFile().services).filter(([, { environment }]) => environment?.RUN);
  expect(targets).toEqual(processes.map(([name]) => `${name}:9464`));
  const consoles = Object.entries(composeFile().services).filter(
    ([, { command }]) => command?.[0] === "console/server/main.js",
  );
  expect(targetsOf("cardbridge-console")).toEqual(consoles.map(([name]) => `${name}:9465`));
  const [source] = parse(opsFile("grafana/provisioning/datasources/prometheus.yml")).datasources;
  const used = new Set(opsFile("grafana/dashboard.json").match(/(?<="uid": ")prometheus\w*/g));
  expect([...used]).toEqual([source.uid]);
});

it("the monitors of pods select those with metrics, and give them the jobs that the alarms name", () => {
  const pods = ["base", "console"].flatMap(kubernetesObjects).flatMap(({ spec }) => spec.template ?? []);
  const monitors = parseAllDocuments(opsFile("prometheus/pod-monitors.yaml")).map((one) => one.toJS());
  const jobs = monitors.flatMap(({ spec: { selector, podMetricsEndpoints } }) =>
    podMetricsEndpoints.map(({ port, relabelings: [{ targetLabel, replacement }] }: MonitoredPort) => {
      const labels = Object.entries(selector.matchLabels);
      const selected = pods.filter((pod) =>
        labels.every(([key, value]) => pod.metadata.labels[key] === value),
      );
      const ports = selected.flatMap(({ spec }) => spec.containers[0].ports ?? []);
      return [targetLabel, replacement, ports.filter(({ name }: { name: string }) => name === port).length];
    }),
  );
  // The API and the worker, and the console. The migration has no metrics.
  expect(jobs).toEqual([
    ["job", "cardbridge", 2],
    ["job", "cardbridge-console", 1],
  ]);
});

interface MonitoredPort {
  port: string;
  relabelings: [{ targetLabel: string; replacement: string }];
}

describe("promtool", () => {
  const isAbsent = spawnSync("promtool", ["--version"]).error !== undefined;
  const reason = "not run: no promtool on this machine";
  const promtool = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync("promtool", args, { encoding: "utf8" });
    return { status, output: stdout + stderr };
  };
  const success = { status: 0, output: expect.stringContaining("SUCCESS") };

  it("accepts the configuration and its rules", (context) => {
    if (isAbsent) return context.skip(reason);
    expect(promtool("check", "config", opsPath("prometheus/prometheus.yml"))).toEqual(success);
  });

  it("passes the tests of the alarms", (context) => {
    if (isAbsent) return context.skip(reason);
    expect(promtool("test", "rules", opsPath("prometheus/alerts.test.yml"))).toEqual(success);
  });

  it("accepts every query of the dashboard", (context) => {
    if (isAbsent) return context.skip(reason);
    const rules = queries().map((expr, index) => ({ record: `query:${index}`, expr }));
    const file = join(temporary, "queries.yml");
    writeFileSync(file, stringify({ groups: [{ name: "dashboard", rules }] }));
    expect(promtool("check", "rules", file)).toEqual(success);
  });
});
