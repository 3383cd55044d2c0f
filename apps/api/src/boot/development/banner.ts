import type { Environment } from "@cardbridge/domain";
import { version } from "@cardbridge/node";
import { demoKeys } from "../../admission/api-key.ts";
import type { Env } from "../../config/env.ts";
import { docsPath } from "../../config/paths.ts";

interface BannerOptions {
  url: string;
  environment: Environment;
  /** Whether some acts need two persons. */
  fourEyes: boolean;
  /** The role of the process. A worker serves only its health checks. */
  run: Env["RUN"];
  /** The URL of the metrics, if they are served. */
  metrics: string | undefined;
  /** Production banners do not mention Ctrl-C. */
  production: boolean;
  /** The sandbox's URL, if this process started it. */
  sandbox?: string | undefined;
  /** Whether the demo keys are valid. */
  demo: boolean;
  /** Whether the documentation is built. */
  docs: boolean;
  /** The address of the console, which this process starts. */
  console?: string | undefined;
}

/** The text after a start: the service's addresses, the demo keys, and one command to paste. */
export function banner(options: BannerOptions): string {
  const { url, environment, fourEyes, run, metrics, production, sandbox, demo, docs } = options;
  const list = `curl -s '${url}/openapi/v1/cards/list?memberId=alice' -H 'authorization: Bearer ${demoKeys.first}'`;
  const rows = [
    ...(run === "worker"
      ? [["Health", `${url}/health/ready`]]
      : [["Address", url], ...(docs ? [["Docs", url + docsPath]] : [])]),
    ...(options.console ? [["Console", `${options.console}  (in a moment)`]] : []),
    ...(demo
      ? [
          ["Demo key", demoKeys.first],
          ["Second key", demoKeys.second],
          ["App's key", demoKeys.app],
        ]
      : []),
    ...(demo && run !== "worker" ? [["Try it", list]] : []),
    ["Version", version],
    ["Environment", environment],
    ...(fourEyes ? [] : [["Four eyes", "off: one person approves, relinks, erases and lifts holds alone"]]),
    ...(metrics ? [["Metrics", `${metrics}/metrics`]] : []),
    ...(sandbox ? [["Sandbox", `${sandbox}  (executed calls: ${sandbox}/_ledger)`]] : []),
  ];
  const table = rows.map(([name = "", value]) => `  ${name.padEnd(12)}${value}`);
  const ready = `cardbridge is ready.${production ? "" : " Stop it with Ctrl-C."}`;
  return ["", ready, "", ...table, ""].join("\n");
}
