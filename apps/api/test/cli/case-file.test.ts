import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type CaseFile, defaultPolicies } from "@cardbridge/domain";
import { checkpointAudit, createOperations, type Ports, pendingAudit } from "@cardbridge/service";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withOperatorPorts } from "../../src/boot/operator.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { restSubmit } from "../support/call.ts";
import { runCommand } from "../support/command-line.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";

/** A case file of a real record, and the script that an auditor runs without the service. */
let world: Awaited<ReturnType<typeof startTestService>>;
let admin: Client;
let folder: string;
beforeAll(async () => {
  world = await startTestService({ events: false });
  admin = new Client(world.adminUrl);
  await admin.connect();
  folder = await mkdtemp(join(tmpdir(), "cardbridge-case-file-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await admin.end();
  await world.stop();
});

const script = fileURLToPath(new URL("../../../../ops/audit/verify-case-file.mjs", import.meta.url));

/** The lines of the log that publish the checkpoints. */
const published: string[] = [];
const log = createLog("info", { write: (line) => void published.push(line) });
const withPorts = <T>(use: (ports: Ports) => Promise<T>) =>
  withOperatorPorts(world.env, ["keys"], (ports) => use({ ...ports, observer: log }));

/** Transactions of other tests on the shared server delay the checkpoints briefly. */
const checkpoint = () =>
  withPorts(async (ports) => {
    do await checkpointAudit(ports);
    while ((await pendingAudit(ports)).length > 0);
  });

/** A record with entries under two checkpoints, and one that is pending. */
async function aRecord(): Promise<string> {
  const { body } = await restSubmit(world.caller(), newSubmission("pending"));
  const { kycRecordId } = body as { kycRecordId: string };
  await restSubmit(world.caller(), newSubmission());
  await checkpoint();
  await runCommand(["--by", "ada", "records", "get", kycRecordId], world.env);
  await checkpoint();
  await runCommand(["--by", "ada", "records", "refresh", kycRecordId], world.env);
  return kycRecordId;
}

const { audit } = createOperations(defaultPolicies);
const operator = {
  kind: "operator",
  actor: "claim:ada",
  platformId: "internal",
  requestId: null,
  address: null,
  scopes: new Set<never>(),
} as const;
const caseFileOf = (kycRecordId: string): Promise<CaseFile> =>
  withPorts(async (ports) => (await audit.caseFile.execute(ports, operator, { kycRecordId })).data);
const proofOf = (query: object) =>
  withPorts(async (ports) => (await audit.proof.execute(ports, operator, query)).data);

/** Runs the script with a case file and the published lines. */
async function verify(caseFile: unknown, lines: readonly string[] = published) {
  const paths = [join(folder, "case-file.json"), join(folder, "published.ndjson")] as const;
  await writeFile(paths[0], JSON.stringify(caseFile));
  await writeFile(paths[1], lines.join(""));
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [script, ...paths], { env: {} }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

type Change = (copy: CaseFile) => unknown;

describe("a proof of a search", () => {
  type Proof = Awaited<ReturnType<typeof proofOf>>;
  const query = { operation: "kyc.submit", platformIds: ["plt_demo_one"], after: "2026-01-01T00:00:00Z" };
  let proof: Proof;
  beforeAll(async () => {
    await aRecord();
    proof = await proofOf(query);
  });
  const firstOf = ({ platforms }: Proof) => {
    const [entry] = platforms[0]?.entries ?? [];
    if (!entry) throw new Error("The proof has no entry.");
    return entry;
  };

  it("is verified with the published checkpoints alone", async () => {
    const count = proof.platforms[0]?.entries.length;
    expect(await verify(proof)).toEqual({
      code: 0,
      stdout: `Search for platformIds plt_demo_one, operation kyc.submit, after 2026-01-01T00:00:00Z: ${count} of ${count} entries are verified.\n`,
      stderr: "",
    });
  });

  const esc = "\u001b[2K";
  const changes: [string, (copy: Proof) => unknown, string][] = [
    [
      "another subject",
      ({ query: of }) => Object.assign(of, { subject: "kyc_x" }),
      "does not match the query.",
    ],
    [
      "another person",
      ({ query: of }) => Object.assign(of, { personId: "per_x" }),
      "does not match the query.",
    ],
    [
      "a later start",
      ({ query: of }) => Object.assign(of, { after: "2099-01-01T00:00:00Z" }),
      "does not match",
    ],
    [
      "an earlier end",
      ({ query: of }) => Object.assign(of, { before: "2026-01-01T00:00:00Z" }),
      "does not match",
    ],
    ["a filter that nobody knows", ({ query: of }) => Object.assign(of, { color: "red" }), "does not match"],
    [
      "a platform that is not searched",
      ({ query: of }) => Object.assign(of, { platformIds: ["plt_x"] }),
      "another platform than its query",
    ],
    ["a platform twice", ({ platforms }) => platforms.push(...platforms), "is in the file twice."],
    [
      "entries of another platform",
      (copy) => {
        Object.assign(copy.query, { platformIds: ["plt_demo_two"] });
        Object.assign(copy.platforms[0] ?? {}, { platformId: "plt_demo_two" });
      },
      "is not among the published ones.",
    ],
    [
      "a changed entry",
      (copy) => Object.assign(firstOf(copy).entry, { outcome: "x" }),
      "differs from its leaf",
    ],
    ["an output in its query", ({ query: of }) => Object.assign(of, { operation: esc }), "an id or a time"],
    ["an output as a filter", ({ query: of }) => Object.assign(of, { [esc]: "x" }), "an id or a time"],
    ["an output in its time", (copy) => Object.assign(copy, { since: esc }), "an id or a time"],
  ];
  it.each(changes)("with %s is refused", async (_name, change, message) => {
    const copy = structuredClone(proof);
    change(copy);
    const { code, stdout, stderr } = await verify(copy);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(message);
  });
});

describe("a case file", () => {
  let caseFile: CaseFile;
  beforeAll(async () => {
    caseFile = await caseFileOf(await aRecord());
  });
  /** A copy with a change. */
  function changed(change: Change): CaseFile {
    const copy = structuredClone(caseFile);
    change(copy);
    return copy;
  }
  const first = ({ audit }: CaseFile) => {
    const [entry] = audit.entries;
    if (!entry) throw new Error("The case file has no entry.");
    return entry;
  };
  /** The messages name the first entry as ID, and its checkpoint as NUMBER. */
  async function expectRefused(given: unknown, message: string, lines?: readonly string[]) {
    const { entry, checkpoint: number } = first(caseFile);
    const { code, stdout, stderr } = await verify(given, lines);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(message.replace("ID", entry.id).replace("NUMBER", String(number)));
  }

  it("is verified with the published checkpoints alone", async () => {
    const { kycRecordId } = caseFile.record;
    expect(caseFile.audit.entries.map(({ entry, checkpoint: number }) => [entry.operation, number])).toEqual([
      ["kyc.submit", expect.any(Number)],
      ["records.get", expect.any(Number)],
      ["records.refresh", null],
    ]);
    const pending = caseFile.audit.entries.at(-1)?.entry.id;
    expect(await verify(caseFile)).toEqual({
      code: 0,
      stdout: `Record ${kycRecordId}: 2 of 3 entries are verified.\nPending, without a checkpoint that has a root: ${pending}.\n`,
      stderr: "",
    });
    const plain = caseFile.audit.checkpoints.map(
      (one) => `${JSON.stringify({ platformId: caseFile.audit.platformId, ...one })}\n`,
    );
    expect(await verify(caseFile, plain)).toMatchObject({ code: 0 });
  });

  const fields = {
    ...{ operation: "kyc.get", subject: "kyc_other", outcome: "replayed", actor: "key_other", address: null },
    ...{ at: "2026-01-01T00:00:00.000Z", person: "per_1", purpose: "fraud", count: 2, id: "999" },
    ...{ requestId: "req_other" },
  };
  const ofEntry = Object.entries(fields).map(([name, value]): [string, Change, string] => [
    `another ${name} of an entry`,
    (copy) => Object.assign(first(copy).entry, { [name]: value }),
    " differs from its leaf",
  ]);
  const hex = (text: string) => Buffer.from(text).toString("hex");
  const changes: [string, Change, string][] = [
    ...ofEntry,
    [
      "an entry and a leaf that were changed alike",
      (copy) => {
        const entry = first(copy);
        entry.entry.outcome = "gone";
        entry.leaf = entry.leaf.replace(hex("done"), hex("gone"));
      },
      "Entry ID is not under checkpoint NUMBER.",
    ],
    [
      "a leaf that was cut off",
      (copy) => Object.assign(first(copy), { leaf: first(copy).leaf.slice(0, -2) }),
      "A leaf is cut off.",
    ],
    [
      "a column that is hidden",
      (copy) => Object.assign(first(copy).entry, { requestId: null }),
      "requestId differs",
    ],
    [
      "a checkpoint missing",
      ({ audit }) => audit.checkpoints.shift(),
      "Checkpoint NUMBER of entry ID is missing.",
    ],
    [
      "another root of a checkpoint",
      ({ audit }) => Object.assign(audit.checkpoints[0] ?? {}, { root: "0".repeat(64) }),
      "Checkpoint NUMBER has another root than the published one.",
    ],
    [
      "no proof of an entry",
      (copy) => Object.assign(first(copy), { index: null, size: null, path: [] }),
      "Entry ID has no proof for its checkpoint.",
    ],
    ["an entry twice", (copy) => copy.audit.entries.push(first(copy)), "Entry ID is in the file twice."],
    [
      "an entry of another record",
      ({ record }) => Object.assign(record, { kycRecordId: "kyc_other" }),
      "Entry ID is about neither the record, its files nor its proposals.",
    ],
    [
      "a record of another platform",
      ({ record }) => Object.assign(record, { platformId: "plt_other" }),
      "The record and the audit are of different platforms.",
    ],
  ];
  it.each(changes)("with %s is refused", async (_name, change, message) => {
    await expectRefused(changed(change), message);
  });

  it("is refused where the checkpoint is not published, or published with two roots", async () => {
    await expectRefused(caseFile, "Checkpoint NUMBER is not among the published ones.", []);
    const { platformId } = caseFile.audit;
    const other = { platformId, number: first(caseFile).checkpoint, root: "1".repeat(64) };
    const lines = [...published, `${JSON.stringify(other)}\n`];
    await expectRefused(caseFile, "Two roots of checkpoint NUMBER are published.", lines);
  });

  it("cannot write its own result", async () => {
    const result = "\u001b[2KAll entries are verified.\n";
    const forgeries: Change[] = [
      ({ record }) => Object.assign(record, { kycRecordId: `${record.kycRecordId}\n${result}` }),
      ({ audit }) => Object.assign(audit, { since: result }),
      ({ audit }) => {
        // A pending entry has no proof, so its id is what the file says.
        const { entry } = audit.entries.at(-1) ?? {};
        const leaf = Buffer.from(audit.entries.at(-1)?.leaf ?? "", "hex");
        const at = leaf.lastIndexOf(entry?.id ?? "");
        const length = Buffer.alloc(4);
        length.writeUInt32BE(result.length);
        const rest = leaf.subarray(at + (entry?.id.length ?? 0));
        const forged = Buffer.concat([leaf.subarray(0, at - 4), length, Buffer.from(result), rest]);
        Object.assign(audit.entries.at(-1) ?? {}, { leaf: forged.toString("hex") });
        Object.assign(entry ?? {}, { id: result });
      },
    ];
    for (const change of forgeries) {
      const { code, stdout, stderr } = await verify(changed(change));
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toMatch(/^[ -~]+\n$/);
    }
  });

  it("of another format, or of entries that were changed in the database, is refused", async () => {
    await expectRefused({}, "The file has no format that this script knows.");
    const { kycRecordId } = caseFile.record;
    await admin.query(
      "update audit_entries set outcome = 'replayed' where subject = $1 and operation = 'kyc.submit'",
      [kycRecordId],
    );
    await expectRefused(await caseFileOf(kycRecordId), "Entry ID is not under checkpoint NUMBER.");
  });
});
