import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ErrorCode, Failure } from "@cardbridge/domain";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { errorMapping } from "../../../src/errors/mapping.ts";
import { renderError } from "../../../src/errors/render.ts";
import { inputMutation } from "../../hostile/inputs.ts";
import { newSubmission, startTestService } from "../../support/test-service.ts";
import { type GeneratedClients, generateClients } from "./generate-clients.ts";

/**
 * Every answer to a submission has the types that a generator makes of the published document: the answers are
 * literals of a program, and the compiler accepts no unknown field in a literal.
 */

const submissions = 10_000;
const kyc = "/openapi/v1/users/kyc";
const statuses = [null, "PENDING", "PENDING_APPROVAL", "APPROVED", "REJECTED"];

/** A program's types of a result and of an error, by generator. */
const imports = {
  "hey-api": 'import type { KycResult, Problem } from "./hey-api";',
  "openapi-typescript": [
    'import type { components } from "./openapi-typescript";',
    'type KycResult = components["schemas"]["KycResult"];',
    'type Problem = components["schemas"]["Problem"];',
  ].join("\n"),
  orval: 'import type { KycResult, Problem } from "./orval";',
};

let service: Awaited<ReturnType<typeof startTestService>>;
let generated: GeneratedClients;
/** The different answers, each with its type. Ids and texts do not count as differences. */
const answers = new Map<string, string>();

function add(type: "KycResult" | "Problem", body: Record<string, unknown>): void {
  expect(statuses).toContain(body.status);
  const shape = JSON.stringify(body).replace(/"(path|message|requestId|\w+Id)":"[^"]*"/g, "$1");
  answers.set(`${type} ${shape}`, `(${JSON.stringify(body)}) satisfies ${type};`);
}

beforeAll(async () => {
  service = await startTestService({ events: false });
  generated = await generateClients(service.url);
});
afterAll(async () => {
  await generated.remove();
  await service.stop();
});

const tags = [
  "approved",
  "rejected",
  "document-unreadable",
  "rejected+selfie-mismatch+final",
  "pending",
  "refused",
];
const body = fc
  .tuple(fc.constantFrom(...tags), fc.array(inputMutation, { maxLength: 2 }))
  .map(([tag, mutations]) => mutations.reduce<unknown>((input, mutate) => mutate(input), newSubmission(tag)));

it(`answers ${submissions} random bodies of a submission with a status of section 2.4 or null`, async () => {
  const { key } = service.caller();
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const bodies = fc.sample(body, { numRuns: submissions, seed: 1 }).map((one) => JSON.stringify(one));
  const submit = async (text = "") => {
    const response = await fetch(service.url + kyc, { method: "POST", headers, body: text });
    add(response.ok ? "KycResult" : "Problem", (await response.json()) as Record<string, unknown>);
  };
  for (let start = 0; start < bodies.length; start += 8) {
    await Promise.all(bodies.slice(start, start + 8).map(submit));
  }
  // Both kinds occurred: results, and errors of more than one shape.
  expect([...answers.keys()].filter((key) => key.startsWith("KycResult")).length).toBeGreaterThan(3);
  expect(answers.size).toBeGreaterThan(50);
});

it("every error of the catalogue has a status of null", () => {
  for (const code of Object.keys(errorMapping) as ErrorCode[]) {
    const failure = new Failure(code, { retryAfterSeconds: 1 });
    add("Problem", JSON.parse(renderError(failure, { requestId: "req_1", method: "POST", path: kyc }).body));
  }
});

it.each(Object.entries(imports))("the answers have the types of %s", async (name, types) => {
  const program = `answers-with-${name}.ts`;
  await writeFile(join(generated.folder, program), [types, ...answers.values(), ""].join("\n"));
  expect(await generated.compile([program])).toBe("");
});
