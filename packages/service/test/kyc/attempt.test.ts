import {
  type Attempt,
  AttemptSuperseded,
  ExternalFileError,
  type ExternalFiles,
  Failure,
  type KycSubmission,
  newRecord,
  type ProviderKycRequest,
  type ProviderReply,
  type StepResult,
} from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { runAttempt } from "../../src/kyc/attempt.ts";
import { exampleSubmission } from "../../src/kyc/example.ts";
import { fakePorts } from "../support/fake-ports.ts";

const record = {
  ...newRecord,
  kycRecordId: "kyc_1",
  externalUserId: "usr_1",
  attempt: 3,
  createdAt: new Date(0),
};
const sending: Attempt = {
  record,
  notFound: 0,
  step: "send",
  submission: exampleSubmission.input as KycSubmission,
  fingerprint: "a fingerprint",
  sendBefore: Number.POSITIVE_INFINITY,
};
const upload = "https://cards.example.com/files/file_1";
const unknown = (reason: string) => ({ outcome: "unknown", reason });

/** Runs an attempt whose provider passes the request to `submit`. */
async function attempt(
  submit: (request: ProviderKycRequest) => Promise<unknown>,
  { owner = 3, externalFiles }: { owner?: number; externalFiles?: ExternalFiles | undefined } = {},
) {
  const { ports, observed } = fakePorts();
  const steps = new Map<string, StepResult>();
  const read: string[][] = [];
  let seen: unknown;
  const check = (attempt: number) => {
    if (attempt !== owner) throw new AttemptSuperseded();
  };
  ports.kycRecords.findStep = async (_platform, { attempt }, name) => {
    check(attempt);
    return steps.get(name);
  };
  ports.kycRecords.keepStep = async (_platform, { attempt }, name, result) => {
    check(attempt);
    steps.set(name, result);
  };
  ports.files.read = async (platformId, fileId) => {
    read.push([platformId, fileId]);
    return fileId === "file_1" ? { contentType: "image/jpeg", bytes: Uint8Array.of(1, 2, 3) } : null;
  };
  ports.fileUrls.signed = (url) => `${url}?signed`;
  ports.fileUrls.fileIdOf = (url) =>
    url.startsWith("https://cards.example.com") ? (url.split("/").at(-1) ?? null) : undefined;
  ports.provider.submitKyc = async (request) => {
    seen = await submit(request);
    return { outcome: "unknown", reason: "deadline" };
  };
  const { reply } = await runAttempt({ ...ports, externalFiles }, "plt_1", sending, "submission");
  return { reply, seen, steps, read, observed };
}

describe("the steps of an attempt", () => {
  it("are those of its record while the attempt owns the record", async () => {
    const { seen, steps } = await attempt(async ({ steps }) => {
      await steps.keep("create", { id: "holder_1" });
      return [await steps.done("create"), await steps.done("upload")];
    });
    expect(seen).toEqual([{ id: "holder_1" }, undefined]);
    expect([...steps]).toEqual([["create", { id: "holder_1" }]]);
  });

  it.each(["done", "keep"] as const)(
    "end the attempt as unknown if %s finds another owner",
    async (method) => {
      const { reply, steps, observed } = await attempt(
        ({ steps }) => (method === "done" ? steps.done("create") : steps.keep("create", { id: "holder_1" })),
        { owner: 4 },
      );
      expect(reply).toEqual(unknown("attempt-superseded"));
      expect([...steps]).toEqual([]);
      expect(observed).toContainEqual(["kyc_outcome_unknown", expect.objectContaining({ step: "send" })]);
    },
  );
});

it.each([
  { error: new Failure("SERVICE_UNAVAILABLE"), reason: "not-stored" },
  { error: new TypeError("a bug"), reason: "internal" },
])("an attempt ends as unknown after $error", async ({ error, reason }) => {
  expect((await attempt(() => Promise.reject(error))).reply).toEqual(unknown(reason));
});

it("an attempt that its process has delayed sends nothing, because the lease would end during the call", async () => {
  const { ports } = fakePorts();
  const planned: unknown[] = [];
  ports.provider.submitKyc = () => Promise.reject(new Error("It was sent."));
  ports.kycRecords.reschedule = async (_platform, _id, plan) => void planned.push(plan);
  const { reply } = await runAttempt(ports, "plt_1", { ...sending, sendBefore: 0 }, "submission");
  expect(reply).toEqual({ outcome: "unsent", reason: "delayed" });
  expect(planned).toMatchObject([{ step: "send" }]);
});

it("a result that cannot be stored is observed with the reason", async () => {
  const { ports, observed } = fakePorts();
  const cause = Object.assign(new Error("It broke."), { code: "57P01" });
  ports.kycRecords.reschedule = () => Promise.reject(new Failure("SERVICE_UNAVAILABLE", { cause }));
  expect((await runAttempt(ports, "plt_1", sending, "worker")).stored).toBe(false);
  expect(observed).toContainEqual([
    "kyc_not_stored",
    { outcome: "unknown", reason: "57P01", kycRecordId: "kyc_1" },
  ]);
});

describe("the files of an attempt", () => {
  it("have signed URLs only if the adapter requests them", async () => {
    const { seen, read } = await attempt(async ({ applicant, files }) => [
      applicant.frontImageUrl,
      files.url(upload),
    ]);
    expect(seen).toEqual([exampleSubmission.input.frontImageUrl, `${upload}?signed`]);
    expect(read).toEqual([]);
  });

  it("return the bytes of an upload of the platform, and end the attempt as unknown if it does not exist", async () => {
    const { seen, read } = await attempt(async ({ files }) => {
      const file = await files.open(upload);
      return [file.type, file.size, [...new Uint8Array(await file.arrayBuffer())]];
    });
    expect(seen).toEqual(["image/jpeg", 3, [1, 2, 3]]);
    expect(read).toEqual([["plt_1", "file_1"]]);
    const { reply } = await attempt(({ files }) => files.open("https://cards.example.com/files/file_2"));
    expect(reply).toEqual(unknown("file-not-found"));
  });

  it("are read at external URLs only through the port externalFiles", async () => {
    const external = "https://files.example.org/front.jpg";
    const urls: string[] = [];
    const read = async (url: string) => {
      urls.push(url);
      return new Blob(["bytes"]);
    };
    const refuse = () => Promise.reject(new ExternalFileError("address-refused"));
    const open = (externalFiles?: ExternalFiles) =>
      attempt(({ files }) => files.open(external).then((file) => file.text()), { externalFiles });
    expect((await open()).reply).toEqual(unknown("external-file"));
    expect((await open({ read })).seen).toBe("bytes");
    expect(urls).toEqual([external]);
    expect((await open({ read: refuse })).reply).toEqual(unknown("external-file"));
  });
});

it("reports its step, outcome, reason, duration and actor with the outcome", async () => {
  const { ports } = fakePorts();
  const reports: unknown[] = [];
  ports.kycRecords.reschedule = async (...args) => void reports.push(args[3]);
  ports.kycRecords.storeVerdict = async (_platformId, before, _verdict, report) => {
    reports.push(report);
    return { before, record: before };
  };
  const replies: ProviderReply[] = [{ outcome: "unknown", reason: "deadline" }, { outcome: "refused" }];
  for (const reply of replies) {
    ports.provider.submitKyc = async () => reply;
    await runAttempt(ports, "plt_1", sending, "submission");
  }
  await runAttempt(ports, "plt_1", { record, notFound: 0, step: "ask" }, "per_ada/key_1");
  const milliseconds = expect.any(Number);
  expect(reports).toEqual([
    { step: "send", outcome: "unknown", reason: "deadline", milliseconds, by: "submission" },
    { step: "send", outcome: "refused", reason: null, milliseconds, by: "submission" },
    { step: "ask", outcome: "not-found", reason: null, milliseconds, by: "per_ada/key_1" },
  ]);
});
