import { kycSubmission } from "@cardbridge/domain";
import { exampleSubmission } from "@cardbridge/operations";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { digestsOf } from "../support/encodings.ts";
import { startOtlpReceiver } from "../support/otlp-receiver.ts";
import { createCanary } from "./canary/canary.ts";
import { sendMarkedData } from "./canary/cases.ts";
import { sendEveryField } from "./canary/fields.ts";
import { startInProcess } from "./canary/in-process.ts";
import { searchOutputs } from "./canary/search.ts";
import type { Services } from "./canary/services.ts";

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

it.each(["", "x", "xy", "xyz"])("finds a mark in every encoding, after %j", (before) => {
  const { email, phoneNumber, birthday } = marks.submission();
  for (const text of [marks.next(), email, phoneNumber, birthday]) {
    const bytes = Buffer.from(`${before}${text}z`);
    const encoded = (["hex", "base64", "base64url", "latin1"] as const).map((form) => bytes.toString(form));
    for (const form of [...encoded, encodeURIComponent(text)]) expect(marks.findIn(form)).not.toEqual([]);
  }
  for (const digest of [email, phoneNumber, email.toLowerCase()].flatMap(digestsOf))
    for (const form of [digest, digest.replace(/=+$/, "")])
      expect(marks.findIn(`"${before}${form}`)).not.toEqual([]);
  expect(marks.findIn("a response without marks")).toEqual([]);
});

describe("marked data is sent in", () => sendEveryField(canary));
sendMarkedData(canary);

describe("no mark is in", () => searchOutputs(canary, () => traces));
