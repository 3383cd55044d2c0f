import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parse, parseAllDocuments, stringify } from "yaml";
import { alarms, firedAlarms, queries } from "./alarms.ts";
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

it("an operator has at most 20 alarms to know, of which 8 call a person at once", () => {
  expect(alarms().length).toBeLessThanOrEqual(20);
  expect(alarms().filter(({ labels }) => labels.severity === "page").length).toBeLessThanOrEqual(8);
});

/** What an alarm has to notice. Whoever joins or removes rules removes none of these. */
const watched = [
  ...["up", "nodejs_eventloop_lag_p99_seconds"],
  ...["cardbridge_http_requests_total", "cardbridge_http_request_duration_seconds_bucket"],
  ...["cardbridge_dependency_ready", "cardbridge_operation_calls_total", "cardbridge_paused"],
  ...["cardbridge_provider_calls_total", "cardbridge_provider_breaker_state"],
  ...["cardbridge_provider_answers_mismatched_total", "cardbridge_provider_answers_unreadable_total"],
  ...["cardbridge_provider_misconfigured_total", "cardbridge_provider_card_fields_malformed_total"],
  ...["cardbridge_provider_sub_statuses_unmapped_total", "cardbridge_provider_reasons_unmapped_total"],
  ...["cardbridge_restored_records_unknown_total", "cardbridge_kyc_records_waiting"],
  ...["cardbridge_kyc_records_waiting_oldest_seconds", "cardbridge_kyc_documents_oldest_seconds"],
  ...["cardbridge_kyc_answers_not_stored_total", "cardbridge_kyc_records_not_loaded_total"],
  ...["cardbridge_kyc_approvals_without_email_total", "cardbridge_kyc_final_statuses_reversed_total"],
  ...["cardbridge_document_requests", "cardbridge_document_requests_oldest_seconds"],
  ...["cardbridge_worker_passes_failed_total", "cardbridge_audit_pending_oldest_seconds"],
  ...["cardbridge_command_line_acts_total", "cardbridge_webhook_deliveries_oldest_seconds"],
  ...["cardbridge_webhook_attempts_total", "cardbridge_webhook_endpoints_disabled_total"],
  ...["cardbridge_resource_refusals_total", "cardbridge_resource_waiting"],
  ...["cardbridge_log_lines_dropped_total", "cardbridge_backup_age_seconds", "cardbridge_backup_failed"],
  ...["cardbridge_console_dependency_ready", "cardbridge_console_sign_ins_total"],
  ...["cardbridge_console_renewals_total", "cardbridge_console_service_calls_total"],
];

it("alarms watch every metric that tells of a failure", () => {
  const named = alarms().flatMap(({ expr }) => expr.match(/\b[a-z][a-z0-9_]+/g) ?? []);
  expect(watched.filter((metric) => !named.includes(metric))).toEqual([]);
});

it("a test of promtool fires every alarm with each value of its label", () => {
  const fired = firedAlarms();
  for (const { alert, expr } of alarms()) {
    const pairs = [
      ...expr.matchAll(/"(\w+)", "([\w.-]+)", "", ""/g),
      ...expr.matchAll(/dependency_ready\{(dependency)="([\w-]+)"/g),
      ["", "alertname", alert],
    ];
    const isFired = ([, label = "", value]: string[]) =>
      fired.some((labels) => labels.alertname === alert && labels[label] === value);
    expect([alert, ...pairs.filter((pair) => !isFired(pair))]).toEqual([alert]);
  }
});

it("every page begins with the meaning of its alarm, then has the checks and the actions", () => {
  const parts = runbook.split(/^## /m).filter((part) => part.startsWith("Cardbridge"));
  for (const part of parts) {
    const heads = [...part.matchAll(/^\*\*([\w ]+?)\.?\*\*/gm)].map(([, head]) => head);
    expect([part.split("\n")[0], heads]).toEqual([part.split("\n")[0], ["Look at", "Do"]]);
    expect(part).toMatch(/^\w+\n\n[^*\n]/);
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

it("the monitors of pods select those with metrics, and give them the labels that the alarms name", () => {
  const pods = ["base", "console"].flatMap(kubernetesObjects).flatMap(({ spec }) => spec.template ?? []);
  const monitors = parseAllDocuments(opsFile("prometheus/pod-monitors.yaml")).map((one) => one.toJS());
  const labelsOfPods = monitors.flatMap(({ spec: { selector, podMetricsEndpoints } }) =>
    podMetricsEndpoints.flatMap(({ port, relabelings }: MonitoredPort) => {
      const labels = Object.entries(selector.matchLabels);
      const selected = pods.filter(
        ({ metadata, spec }) =>
          labels.every(([key, value]) => metadata.labels[key] === value) &&
          spec.containers[0].ports?.some(({ name }) => name === port),
      );
      return selected.map(({ metadata }) => {
        const meta = Object.fromEntries(
          Object.entries(metadata.labels).map(([key, value]) => [
            `__meta_kubernetes_pod_label_${key.replace(/\W/g, "_")}`,
            value,
          ]),
        );
        return Object.fromEntries(
          relabelings.map(({ targetLabel, replacement, sourceLabels: [source = ""] = [] }) => [
            targetLabel,
            replacement ?? meta[source],
          ]),
        );
      });
    }),
  );
  // The migration has no metrics.
  expect(labelsOfPods).toEqual([
    { job: "cardbridge", run: "api" },
    { job: "cardbridge", run: "worker" },
    { job: "cardbridge-console" },
  ]);
});

interface MonitoredPort {
  port: string;
  relabelings: { targetLabel: string; replacement?: string; sourceLabels?: string[] }[];
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
