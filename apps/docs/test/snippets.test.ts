import { spawnSync } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { newSubmission, startTestService } from "@cardbridge/api/testing";
import { createRunner } from "@cardbridge/api/testing/snippet-runner";
import { snippetsOf } from "@cardbridge/api/testing/snippets";
import { expect, it } from "vitest";
import { developmentUrl } from "../src/document/document.ts";
import { operations } from "../src/document/operations.ts";
import { sampleFile } from "../src/reference/snippets/request.ts";
import { exampleTabs } from "../src/reference/snippets/tabs.ts";

const hasPython = spawnSync("python3", ["--version"]).status === 0;
const sample = new URL("../../api/samples/document-front.jpg", import.meta.url);
const client = fileURLToPath(new URL("../../../packages/client", import.meta.url));
/** What is deleted is deleted after its last use. */
const inOrder = operations.toSorted((a, b) => Number(a.method === "DELETE") - Number(b.method === "DELETE"));

it.for(["curl", "TypeScript", "Python"])("each example of the reference runs: %s", async (tab, context) => {
  if (tab === "Python" && !hasPython) return context.skip("not run: no python3 on this machine");
  const service = await startTestService();
  const folder = await mkdtemp(join(tmpdir(), "cardbridge-reference-"));
  const runner = createRunner(folder, context.signal);
  const ids: Record<string, string> = {};
  const asked = await askedRecord(service);
  try {
    await copyFile(sample, join(folder, sampleFile));
    await mkdir(join(folder, "node_modules/@cardbridge"), { recursive: true });
    await symlink(client, join(folder, "node_modules/@cardbridge/client"));
    for (const operation of inOrder) {
      const snippet = snippetsOf(exampleTabs(operation)).find((one) => one.tab === tab);
      if (!snippet) continue;
      const known = operation.id === "kyc.answerRequest" ? asked : ids;
      const code = withIds(known, snippet.code)
        .replaceAll(developmentUrl, service.url)
        .replace("console.log(result)", "console.log(JSON.stringify(result))");
      const printed = await runner.run({ ...snippet, code });
      expect(printed, operation.id).not.toContain('"success":false');
      if (printed.trimStart().startsWith("{")) collectIds(JSON.parse(printed), ids);
    }
  } finally {
    await runner.end();
    await rm(folder, { recursive: true, force: true });
    await service.stop();
  }
});

/** The ids of a record with a request of the provider: the record of the examples has none. */
async function askedRecord({ caller }: Awaited<ReturnType<typeof startTestService>>) {
  const { key, fetch } = caller();
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const submission = newSubmission("asks-bank-statement");
  await fetch("/openapi/v1/users/kyc", { method: "POST", headers, body: JSON.stringify(submission) });
  const response = await fetch(`/openapi/v1/users/kyc?memberId=${submission.memberId}`, { headers });
  const { kycRecordId, requests } = (await response.json()) as {
    kycRecordId: string;
    requests: { documentRequestId: string }[];
  };
  return { kycRecordId, documentRequestId: requests[0]?.documentRequestId ?? "" };
}

const pathParameters = operations.flatMap(({ parameters }) => parameters.filter((one) => one.in === "path"));

/** The ids of earlier responses in place of the examples of paths, also in bodies. */
function withIds(ids: Record<string, string>, code: string): string {
  return pathParameters
    .filter(({ name }) => ids[name] !== undefined)
    .reduce((text, { name, example }) => text.replaceAll(String(example), ids[name] ?? ""), code);
}

/** Keeps the ids of a response, which later requests name in their paths. */
function collectIds(body: Record<string, unknown>, ids: Record<string, string>): void {
  for (const [name, value] of Object.entries(body)) if (/Id$/.test(name)) ids[name] = String(value);
  const [first] = (body.items ?? []) as Record<string, unknown>[];
  if (first) collectIds(first, ids);
}
