import { exampleSubmission } from "@cardbridge/operations";
import { demoKeys } from "../api-keys/demo-keys.ts";
import type { Env } from "../config/env.ts";

interface BannerOptions {
  url: string;
  /** What the process serves there: a worker answers for its health only. */
  run: Env["RUN"];
  /** Where the metrics are, where they are served. */
  metrics: string | undefined;
  /** Whether a person at a terminal started it, who stops it with Ctrl-C. */
  production: boolean;
  /** The sandbox's address, where it was started. */
  sandbox?: string | undefined;
  /** Whether the demo keys work here. */
  demo: boolean;
  /** The folder of files to upload. */
  samples: string;
}

const refused = {
  ...exampleSubmission.input,
  email: "not an e-mail",
  birthday: "1990-02-30",
  documentType: "id_card",
  documentPermanentlyValid: false,
  phoneNumber: "12",
  supportingDocuments: undefined,
};

/**
 * What a start shows when it is done: commands that work when pasted, and where everything is. The addresses come last,
 * because what the service logs next pushes the first lines out of sight.
 */
export function banner(options: BannerOptions): string {
  const { url, run, metrics, production, sandbox, demo } = options;
  const rows = [
    ...(run === "worker"
      ? [["Health", `${url}/health/ready`]]
      : [
          ["Address", url],
          ["Docs", `${url}/docs`],
        ]),
    ...(metrics ? [["Metrics", `${metrics}/metrics`]] : []),
    ...(demo
      ? [
          ["Demo key", demoKeys.first],
          ["Second key", demoKeys.second],
        ]
      : []),
    ...(sandbox ? [["Sandbox", `${sandbox}  (what it executed: ${sandbox}/_ledger)`]] : []),
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
    sandbox ? "Submit a KYC that is approved at once:" : "Submit a KYC:",
    submit(exampleSubmission.input),
    "",
    "Submit one that is refused, and see every violation:",
    submit(refused),
    "",
  ];
}
