import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  defaultPolicies,
  describeRequirements,
  kycExplanation,
  type ProviderKycRequest,
  type SubmissionField,
  submissionFields,
  valuesOf,
} from "@cardbridge/domain";
import { startSandbox } from "@cardbridge/sandbox";
import { describe, expect, it, onTestFinished } from "vitest";
import * as airwallex from "../src/airwallex/fields.ts";
import { createClient } from "../src/cardbridge/client.ts";
import * as cardbridge from "../src/cardbridge/fields.ts";
import { newKycRequest } from "../src/conformance/inputs.ts";
import { client } from "./support/provider.ts";

/* The table of each adapter, and what derives from it, read by the domain's fields: a new field needs no line here. */

type Applicant = ProviderKycRequest["applicant"];

const request = newKycRequest("ada@example.com");

const adapters = {
  cardbridge: {
    ...cardbridge,
    capabilities: cardbridge.cardbridgeCapabilities,
    bodyOf: (applicant: Applicant): object => cardbridge.toWireSubmission({ ...request, applicant }),
  },
  airwallex: {
    ...airwallex,
    capabilities: airwallex.airwallexCapabilities,
    bodyOf(applicant: Applicant): object {
      const files = airwallex.uploads.map(({ field }) => [field, String(applicant[field])] as const);
      return airwallex.toNewCardholder(applicant, new Map(files));
    },
  },
};

const { fields: described } = describeRequirements(defaultPolicies, {});

/** Another value of a field: another one of its values, or a longer text. */
function otherThan(value: unknown, field: string): unknown {
  const values = described.find(({ name }) => name === field)?.values;
  return values ? values.find((one) => one !== value) : `1${value ?? ""}`;
}

function withOther(field: SubmissionField): Applicant {
  const { applicant } = request;
  const [name = "", inner] = field.split(".");
  if (inner === undefined)
    return { ...applicant, [name]: otherThan(applicant[name as keyof Applicant], name) };
  const documents = applicant.supportingDocuments?.map((document) => ({
    ...document,
    [inner]: `1${document[inner as keyof typeof document]}`,
  }));
  return { ...applicant, supportingDocuments: documents };
}

const namesIn = (place: string) => place.replace("[]", ".0").split(".");
const valueAt = (body: unknown, place: string) =>
  namesIn(place).reduce<unknown>((part, name) => Object(part)[name], body);

describe.each(Object.entries(adapters))(
  "the fields of %s",
  (_name, { capabilities, bodyOf, fieldPointer }) => {
    it.each(submissionFields)("%s is sent at its place, or not at all", (field) => {
      const support = capabilities.fields[field];
      const [body, other] = [bodyOf(request.applicant), bodyOf(withOther(field))];
      if ("place" in support) {
        expect(valueAt(other, support.place)).toBeDefined();
        expect(valueAt(other, support.place)).not.toEqual(valueAt(body, support.place));
      } else expect(other).toEqual(body);
    });

    it("are named in reasons by the pointers of the submission", () => {
      for (const support of Object.values(capabilities.fields)) {
        if (!("place" in support)) continue;
        const pointer = fieldPointer(support.place.replace("[]", "[3]"));
        expect(kycExplanation.shape.reasons.parse([{ code: "OTHER", field: pointer }])).toHaveLength(1);
        // Two fields may share a place.
        const named = (pointer ?? "").slice(1).replace("/3/", ".") as SubmissionField;
        expect(capabilities.fields[named]).toMatchObject({ place: support.place });
      }
    });

    it("never contain the member id or another property of the input", () => {
      const stray = { memberId: "member-1", nested: { memberId: "member-1" } };
      const { supportingDocuments = [], ...applicant } = request.applicant;
      const documents = supportingDocuments.map((document) => ({ ...document, ...stray }));
      const body = bodyOf({ ...applicant, ...stray, supportingDocuments: documents });
      expect(body).toEqual(bodyOf(request.applicant));
      expect(JSON.stringify(body)).not.toContain("member-1");
    });
  },
);

describe("the provider contract", () => {
  const body = cardbridge.toWireSubmission(request);
  const places = Object.values(cardbridge.cardbridgeCapabilities.fields).flatMap((support) =>
    "place" in support ? [support.place] : [],
  );

  it.each(submissionFields)("has the value of %s unchanged", (field) => {
    const applicant = withOther(field);
    const support = cardbridge.cardbridgeCapabilities.fields[field];
    const [sent] = valuesOf(applicant, field);
    const received = valueAt(
      cardbridge.toWireSubmission({ ...request, applicant }),
      "place" in support ? support.place : field,
    );
    expect(received).toBe(sent?.value);
  });

  it("has the references, and null or an empty list for what is absent", () => {
    const { documentExpiryDate: _, supportingDocuments: __, ...rest } = request.applicant;
    const applicant = { ...rest, documentPermanentlyValid: true };
    expect(cardbridge.toWireSubmission({ ...request, applicant })).toMatchObject({
      userReference: request.userReference,
      fingerprint: request.fingerprint,
      document: { expiryDate: null, permanentlyValid: true, backImageUrl: null },
      supportingDocuments: [],
    });
  });

  it("has the approval that it renews, and no such field without one", () => {
    expect(body).not.toHaveProperty("renews");
    const renewal = cardbridge.toWireSubmission({ ...request, renews: "kyc_1" });
    expect(renewal).toEqual({ ...body, renews: "kyc_1" });
  });

  it("is shown with every field on its page", async () => {
    const page = await readFile(
      new URL("../../../docs/contribute/provider-contract.md", import.meta.url),
      "utf8",
    );
    const [, shown = ""] = /## `PUT [\s\S]*?```json\n([\s\S]*?)```/.exec(page) ?? [];
    const example: unknown = JSON.parse(shown);
    for (const place of places) expect([place, valueAt(example, place)]).not.toEqual([place, undefined]);
  });

  it("is checked by the sandbox in every field", async () => {
    const dataFolder = await mkdtemp(join(tmpdir(), "cardbridge-fields-"));
    onTestFinished(() => rm(dataFolder, { recursive: true }));
    const sandbox = await startSandbox({ dataFolder, ...client });
    onTestFinished(() => sandbox.close());
    const { write, close } = createClient({ baseUrl: sandbox.url, ...client });
    onTestFinished(close);
    for (const place of places) {
      const wrong = structuredClone<unknown>(body);
      const names = namesIn(place);
      Object(valueAt(wrong, names.slice(0, -1).join(".")))[names.at(-1) ?? ""] = {};
      expect([place, await write("PUT", "/v1/kyc/kyc_1", wrong)]).toMatchObject([place, { status: 400 }]);
    }
  });
});
