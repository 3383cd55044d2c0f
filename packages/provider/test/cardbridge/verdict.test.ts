import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kycExplanation, kycReasonCodes, maxReasons, restrictedReasons } from "@cardbridge/domain";
import { startSandbox } from "@cardbridge/sandbox";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { fieldPointer } from "../../src/cardbridge/fields.ts";
import { toReasons } from "../../src/cardbridge/reasons.ts";
import { newKycRequest } from "../../src/conformance/inputs.ts";
import { listen } from "../support/listener.ts";
import { client, connect } from "../support/provider.ts";
import { http, kycQuery, state } from "../support/responses.ts";

const expired = { code: "document_expired", field: "document.expiryDate" };
const ours = { code: "DOCUMENT_EXPIRED", field: "/documentExpiryDate" };

describe("the provider's reasons", () => {
  it("are absent if it gives no reasons", () => {
    expect(toReasons({})).toEqual({});
  });

  it("are unique and in the provider's order", () => {
    const reasons = [expired, { code: "name_mismatch" }, { code: "x" }, { code: "y", field: "z" }, expired];
    expect(toReasons({ reasons })).toEqual({
      explanation: {
        reasons: [ours, { code: "NAME_MISMATCH", field: null }, { code: "OTHER", field: null }],
        final: false,
      },
    });
  });

  it("do not reveal a restricted reason or that it is final", () => {
    const hit = { code: "sanctions_match", field: "applicant.fullName" };
    const restricted = ["SANCTIONS_MATCH"];
    expect(toReasons({ reasons: [hit, hit], final: true })).toEqual({ restricted });
    expect(toReasons({ reasons: [hit, expired], final: true })).toEqual({
      restricted,
      explanation: { reasons: [ours], final: true },
    });
  });

  it("are valid whatever the provider sends, and never contain its text", () => {
    const text = "distinctive-5f0c";
    const junk = fc.oneof(
      fc.constantFrom<unknown>(null, text, 7, [], "constructor", "__proto__"),
      fc.record({ code: fc.constantFrom<unknown>(text, "document_expired", 7, null, "constructor") }),
      fc.record({
        code: fc.constantFrom("name_mismatch", "fraud_suspected", text),
        field: fc.oneof(
          fc.constantFrom<unknown>(text, 7, null, "__proto__", "applicant.email", "supportingDocuments"),
          fc.nat(20).map((index) => `supportingDocuments[${index}].fileUrl`),
        ),
      }),
    );
    const why = fc.record({
      reasons: fc.oneof(junk, fc.array(junk, { maxLength: 40 })),
      final: fc.constantFrom<unknown>(true, false, "true", 1, null, text),
    });
    fc.assert(
      fc.property(why, (sent) => {
        const { explanation, restricted } = toReasons(sent);
        expect(JSON.stringify({ explanation, restricted })).not.toContain(text);
        if (explanation) expect(kycExplanation.parse(explanation)).toEqual(explanation);
        expect(explanation?.reasons.length ?? 0).toBeLessThanOrEqual(maxReasons);
      }),
    );
  });

  it("contain the field of the submission, with the service's name", () => {
    expect(fieldPointer("supportingDocuments[3].type")).toBe("/supportingDocuments/3/documentType");
    expect(fieldPointer("supportingDocuments[0]")).toBe("/supportingDocuments/0");
    for (const name of ["supportingDocuments[10]", "supportingDocuments[0].x", "memberId", "", undefined])
      expect(fieldPointer(name)).toBeNull();
  });
});

it("a response has no reasons unless its status is rejected", async () => {
  const { url } = await listen((socket) => socket.write(http(200, { ...state, reasons: [expired] })));
  expect(await connect(url).provider.findKyc(kycQuery)).not.toHaveProperty("explanation");
});

it("the sandbox has a tag for each reason code", async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), "cardbridge-reasons-"));
  onTestFinished(() => rm(dataFolder, { recursive: true }));
  const sandbox = await startSandbox({ dataFolder, ...client });
  onTestFinished(() => sandbox.close());
  const { provider } = connect(sandbox.url);
  const published = z.object({ scenarios: z.array(z.object({ id: z.string() })) });
  const { scenarios } = published.parse(await (await fetch(`${sandbox.url}/_scenarios`)).json());

  const codes = new Set<string>();
  const tags = scenarios.filter(({ id }) => id !== "once" && id !== "renewal");
  for (const { id } of tags.slice(tags.findIndex((one) => one.id === "fetch") + 1)) {
    const answer = await provider.submitKyc(newKycRequest(`ada+${id}@example.com`));
    if (answer.outcome !== "refused") throw new Error(`${id} is not refused`);
    for (const { code } of answer.explanation?.reasons ?? []) codes.add(code);
    for (const code of answer.restricted ?? []) codes.add(code);
  }
  expect(codes).toEqual(new Set([...kycReasonCodes, ...restrictedReasons]));
});
