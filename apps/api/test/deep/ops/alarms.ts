import { parse } from "yaml";
import { opsFile } from "./ops-files.ts";

interface Alarm {
  alert: string;
  expr: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

interface Panel {
  type: string;
  title: string;
  description?: string;
  fieldConfig?: { defaults: { unit?: string } };
  targets?: { expr: string }[];
}

/** Every alarm of `ops/prometheus`. */
export function alarms(): Alarm[] {
  const { groups } = parse(opsFile("prometheus/alerts.yml")) as { groups: { rules: Alarm[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

/** The labels of each alarm that a test of promtool fires. */
export function firedAlarms(): Record<string, string>[] {
  const { tests } = parse(opsFile("prometheus/alerts.test.yml"), { merge: true }) as {
    tests: {
      alert_rule_test: { alertname: string; exp_alerts?: { exp_labels: Record<string, string> }[] }[];
    }[];
  };
  return tests.flatMap(({ alert_rule_test }) =>
    alert_rule_test.flatMap(({ alertname, exp_alerts = [] }) =>
      exp_alerts.map(({ exp_labels }) => ({ ...exp_labels, alertname })),
    ),
  );
}

/** The panels of the dashboard with data. */
export function panels(): Panel[] {
  const dashboard = JSON.parse(opsFile("grafana/dashboard.json")) as { panels: Panel[] };
  return dashboard.panels.filter(({ type }) => type !== "row");
}

/** The dashboard's queries as Prometheus gets them. */
export function queries(): string[] {
  const sent = (expr: string) => expr.replaceAll("$__rate_interval", "1m").replaceAll("$instance", ".*");
  return panels().flatMap(({ targets = [] }) => targets.map(({ expr }) => sent(expr)));
}

/** The console's own metrics are its own tests'. */
const names = /\b(?:cardbridge_(?!console_)|nodejs_|process_)[a-z0-9_]+/g;

/** The names of the service's metrics in `ops`. */
export function namedMetrics(): string[] {
  const texts = [...alarms().map(({ expr }) => expr), ...queries(), opsFile("prometheus/alerts.test.yml")];
  const found = texts.flatMap((text) => text.match(names) ?? []);
  return [...new Set(found.map((name) => name.replace(/_(bucket|sum|count)$/, "")))].sort();
}

/** The selectors of alarms and queries, such as `up{job="a"}`, that no series of a scrape matches. */
export function unmatchedSelectors(text: string): string[] {
  const series = text.split("\n").filter((line) => !line.startsWith("#"));
  const selectors = [...alarms().map(({ expr }) => expr), ...queries()].flatMap((expr) => [
    ...expr.matchAll(/\b((?:cardbridge_(?!console_)|nodejs_|process_)[a-z0-9_]+)(?:\{([^}]*)\})?/g),
  ]);
  const unmatched = selectors.filter(([, name = "", matchers = ""]) => {
    const own = [...matchers.matchAll(/(\w+)(=~|!~|=|!=)"([^"]*)"/g)].filter(
      // Prometheus adds these.
      ([, label = ""]) => !["job", "instance"].includes(label),
    );
    const isMatched = (line: string) =>
      (line.startsWith(`${name}{`) || line.startsWith(`${name} `)) &&
      own.every(([, label, operator, value = ""]) => {
        const actual = new RegExp(`[{,]${label}="([^"]*)"`).exec(line)?.[1] ?? "";
        const isEqual = operator?.endsWith("~")
          ? new RegExp(`^(?:${value})$`).test(actual)
          : actual === value;
        return isEqual !== operator?.startsWith("!");
      });
    return !series.some(isMatched);
  });
  return unmatched.map(([selector]) => selector);
}
