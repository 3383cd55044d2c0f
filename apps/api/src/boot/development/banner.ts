import type { Environment } from "@cardbridge/domain";
import { version } from "@cardbridge/node";
import { exampleSubmission } from "@cardbridge/service";
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
  /** The folder with sample files for uploads. */
  samples: string;
}

const invalid = {
  ...exampleSubmission.input,
  email: "not an e-mail",
  birthday: "1990-02-30",
  documentType: "id_card",
  documentPermanentlyValid: false,
  phoneNumber: "12",
  supportingDocuments: undefined,
};

/**
 * The text after a start: commands to paste, and the service's addresses. The addresses come last, so that they stay
 * visible above the log.
 */
export function banner(options: BannerOptions): string {
  const { url, environment, fourEyes, run, metrics, production, sandbox, demo, docs } = options;
  const rows = [
    ...(run === "worker"
      ? [["Health", `${url}/health/ready`]]
      : [["Address", url], ...(docs ? [["Docs", url + docsPath]] : [])]),
    ["Version", version],
    ["Environment", environment],
    ...(fourEyes ? [] : [["Four eyes", "off: one person approves, relinks, erases and lifts holds alone"]]),
    ...(metrics ? [["Metrics", `${metrics}/metrics`]] : []),
    ...(demo
      ? [
          ["Demo key", demoKeys.first],
          ["Second key", demoKeys.second],
        ]
      : []),
    ...(sandbox ? [["Sandbox", `${sandbox}  (executed calls: ${sandbox}/_ledger)`]] : []),
  ];
  const table = rows.map(([name = "", value]) => `  ${name.padEnd(12)}${value}`);
  return [
    "",
    ...(demo && run !== "worker" ? commands(options) : []),
    `cardbridge is ready.${production ? "" : " Stop it with Ctrl-C."}`,
    "",
    ...table,
    "",
  ].join("\n");
}

function commands({ url, sandbox, samples }: BannerOptions): string[] {
  const key = `-H 'authorization: Bearer ${demoKeys.first}'`;
  const json = "-H 'content-type: application/json'";
  const submit = (body: object) =>
    `  curl -s ${url}/openapi/v1/users/kyc ${key} ${json} -d '${JSON.stringify(body)}'`;
  return [
    "Upload an image:",
    `  curl -s ${url}/openapi/v1/files ${key} -F purpose=document_front -F 'file=@${samples}document-front.jpg'`,
    "",
    "List alice's cards:",
    `  curl -s '${url}/openapi/v1/cards/list?memberId=alice' ${key}`,
    "",
    sandbox ? "Submit a KYC that the sandbox approves immediately:" : "Submit a KYC:",
    submit(exampleSubmission.input),
    "",
    "See each change as a webhook, in another terminal in the project's folder:",
    `  CARDBRIDGE_KEY=${demoKeys.first} npm run -s receive-webhooks ${url}`,
    "",
    "Submit an invalid KYC and see every violation:",
    submit(invalid),
    "",
  ];
}
