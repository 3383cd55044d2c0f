import { kycSubmission } from "@cardbridge/domain";
import { exampleSubmission } from "@cardbridge/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bindings } from "../support/bindings.ts";
import { needsPerson } from "../support/operator-scopes.ts";
import { startOtlpReceiver } from "../support/otlp-receiver.ts";
import { createCanary } from "./canary/canary.ts";
import { sendMarkedData } from "./canary/cases.ts";
import { startInProcess } from "./canary/in-process.ts";
import { searchOutputs } from "./canary/search.ts";
import type { Services } from "./canary/services.ts";
import { wrongInputs } from "./canary/wrong-inputs.ts";

/*
 * Sends marked personal data through every success and every error of the service in this process, from callers and
 * from the provider. Then it searches every output for the marks. The deep tier sends most of it through real
 * processes.
 */

let traces: Awaited<ReturnType<typeof startOtlpReceiver>>;
let services: Services;
beforeAll(async () => {
  traces = await startOtlpReceiver();
  services = await startInProcess(traces.url);
});
afterAll(async () => {
  await services.end();
  await traces.close();
});

const canary = createCanary(() => services);
const { marks } = canary;

it("marks every personal field", () => {
  const marked: Record<string, unknown> = marks.submission();
  const example: Record<string, unknown> = exampleSubmission.input;
  const unmarked = Object.keys(kycSubmission.shape).filter(
    (name) => marked[name] === undefined || JSON.stringify(marked[name]) === JSON.stringify(example[name]),
  );
  // Fields with shared values cannot be marked; documentPermanentlyValid excludes documentExpiryDate.
  expect(unmarked.sort()).toEqual([
    "annualIncome",
    "documentCountry",
    "documentPermanentlyValid",
    "documentType",
    "gender",
    "nationality",
    "phoneCountryCode",
  ]);
});

const callable = bindings.filter(({ operation }) => !needsPerson(operation));
describe("marked data is sent in", () => {
  it.each(callable)("inputs of $operation.id over $transport with each field wrong", async (binding) => {
    const { id, input: schema, example, reach } = binding.operation;
    const input = id === "kyc.submit" ? marks.submission() : (example.input as object);
    const key = reach !== undefined ? services.keys.admin : services.keys.first;
    for (const [name, wrong] of wrongInputs({ schema, input, mark: marks.next, isText: binding.isText })) {
      const request = binding.request(wrong as Record<string, unknown>);
      expect([name, await canary.call(`${id}, ${name}`, request, key)]).toEqual([name, 400]);
    }
  });
});
sendMarkedData(canary);

describe("no mark is in", () => searchOutputs(canary, () => traces));
