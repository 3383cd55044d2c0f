import { demoKeys } from "../auth/demo-keys.ts";
import { exampleSubmission } from "../operations/submit-kyc.example.ts";

interface BannerOptions {
  url: string;
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

/** What a start shows when it is done: where everything is, and commands that work when pasted. */
export function banner({ url, sandbox, demo, samples }: BannerOptions): string {
  const rows = [
    ["Address", url],
    ["Docs", `${url}/docs`],
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
    "cardbridge is ready. Stop it with Ctrl-C.",
    "",
    ...table,
    "",
    ...(demo ? commands(url, { sandbox: sandbox !== undefined, samples }) : []),
  ].join("\n");
}

function commands(url: string, { sandbox, samples }: { sandbox: boolean; samples: string }): string[] {
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
