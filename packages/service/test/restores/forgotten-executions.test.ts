import type { Attempt, CreateResult, ProviderExecution, RecordRequest } from "@cardbridge/domain";
import { describe, expect, onTestFinished, test } from "vitest";
import { observeUnknown } from "../../src/operation/observe-unknown.ts";
import { checkRestore } from "../../src/restores/check.ts";
import { finishRestore } from "../../src/restores/restored.ts";
import { operatorCall } from "../support/calls.ts";
import { answered, aRequest, aSubmission, makeWorld, someone } from "../support/world.ts";

async function restoredWorld() {
  const world = await makeWorld({ maxConnections: 10, until: onTestFinished });
  /** Checks the restored database while the provider lists this execution. Returns what became of it. */
  async function listed(execution: ProviderExecution) {
    const listExecutions = async () => ({ executions: [execution], nextCursor: null });
    const ports = { ...world.ports, provider: { ...world.ports.provider, listExecutions } };
    const { data } = await checkRestore.execute(ports, operatorCall, { since: new Date().toISOString() });
    const finding = data.findings.find(({ check }) => check === "Executions");
    const [detail = "known"] = finding?.details ?? [];
    return detail.replace(/^.* is (\w+)\.$/, "$1");
  }
  /** What an event of the provider about something unknown is observed as. */
  async function observedOf(id: string | undefined) {
    const observed: unknown[] = [];
    const observer = { observe: (event: unknown) => void observed.push(event) };
    await observeUnknown({ database: world.database, observer }, id);
    return observed;
  }
  return { ...world, platformId: await world.platform(), listed, observedOf };
}

/** The attempt that a new record's caller makes. */
function attemptOf(result: CreateResult): Extract<Attempt, { step: "send" }> {
  if (result.kind === "new" && result.attempt.step === "send") return result.attempt;
  throw new Error(`The result is ${result.kind}.`);
}

/** What the provider lists about a submission that it executed. */
const executionOf = (
  result: CreateResult,
  verdict: ProviderExecution["verdict"] = answered("pending_approval"),
): ProviderExecution => ({
  reference: result.record.kycRecordId,
  userReference: result.record.externalUserId,
  fingerprint: attemptOf(result).fingerprint,
  executedAt: new Date(),
  verdict,
});

/** A submission of a database that is lost afterwards: `forgotten` knows nothing of it. */
async function lost(world: Awaited<ReturnType<typeof restoredWorld>>, request: RecordRequest) {
  const other = await makeWorld({ maxConnections: 2, until: onTestFinished });
  await other.admin("insert into platforms (id, name) values ($1, 'A platform')", [world.platformId]);
  return other.kyc.createOrReplay(world.platformId, request);
}

describe("an execution of a user whom the database forgot", () => {
  async function forgottenWorld() {
    const world = await restoredWorld();
    const execution = executionOf(await lost(world, aRequest()));
    expect(await world.listed(execution)).toBe("unknown");
    return { ...world, execution };
  }

  test("is found by a resend, which gets the ids of the execution", async () => {
    const { kyc, platformId, execution } = await forgottenWorld();
    const again = await kyc.createOrReplay(platformId, { ...aRequest(), idempotencyKey: "k1" });
    expect(again).toMatchObject({
      kind: "new",
      record: { kycRecordId: execution.reference, externalUserId: execution.userReference },
    });
    // The provider is asked, because it has executed the submission.
    expect(again).toMatchObject({ attempt: { step: "ask", notFound: 0 } });
    expect(await kyc.createOrReplay(platformId, aRequest())).toMatchObject({
      kind: "replay",
      record: { kycRecordId: execution.reference },
    });
  });

  test("is found although the files had to be uploaded again, and without an Idempotency-Key", async () => {
    const { submitted, platformId, execution } = await forgottenWorld();
    const uploadedAgain = { frontImageUrl: "https://files.example.com/uploaded-again.jpg" };
    expect((await submitted(uploadedAgain, platformId)).kycRecordId).toBe(execution.reference);
  });

  test("is found also after the user's first execution, which the user's resends brought back", async () => {
    const { execution, ...world } = await forgottenWorld();
    const { kyc, platformId, listed } = world;
    const { userReference } = execution;
    const other = await lost(world, aRequest({ occupation: "Poet" }));
    const second = { ...executionOf(other), userReference };
    expect(await listed(second)).toBe("unknown");
    const { record } = await kyc.createOrReplay(platformId, aRequest());
    await kyc.storeVerdict(platformId, record, answered("rejected"));
    const again = await kyc.createOrReplay(platformId, aRequest({ occupation: "Poet" }));
    expect(again).toMatchObject({ kind: "new", attempt: { step: "ask" } });
    expect(again.record).toMatchObject({ kycRecordId: second.reference, externalUserId: userReference });
  });

  test("is found once, however many resends there are at once", async () => {
    const { kyc, platformId, all, execution } = await forgottenWorld();
    const resend = () => kyc.createOrReplay(platformId, aRequest());
    const results = await Promise.all(Array.from({ length: 10 }, resend));
    expect(new Set(results.map(({ record }) => record.kycRecordId))).toEqual(new Set([execution.reference]));
    expect(results.filter(({ kind }) => kind === "new")).toHaveLength(1);
    expect(await all("kyc_records")).toHaveLength(1);
  });

  test("is found by no other platform, and by no other submission", async () => {
    const { submitted, platformId, execution } = await forgottenWorld();
    for (const other of [await submitted(), await submitted(someone("bob"), platformId)])
      expect(other.kycRecordId).not.toBe(execution.reference);
  });

  test("explains the provider's events about it, and no others", async () => {
    const world = await restoredWorld();
    const { observedOf } = world;
    const { reference, userReference, ...execution } = executionOf(await lost(world, aRequest()));
    const [explained, unexplained] = [["restored_record_unknown"], ["provider_answer_mismatched"]];
    expect(await observedOf(reference)).toEqual(unexplained);
    // It also ends the restore: the provider listed everything that the database forgot.
    await world.listed({ reference, userReference, ...execution });
    expect(await observedOf(reference)).toEqual(explained);
    expect(await observedOf(userReference)).toEqual(explained);
    for (const id of ["kyc_other", undefined]) expect(await observedOf(id)).toEqual(unexplained);
    await finishRestore(world.database, false);
    for (const id of ["kyc_other", undefined]) expect(await observedOf(id)).toEqual(explained);
  });
});

describe("an execution of a user whom the database knows", () => {
  /** A user whose latest record is rejected, and the lost submission that followed. */
  async function rejectedWorld(verdict: ProviderExecution["verdict"]) {
    const world = await restoredWorld();
    const { kyc, platformId } = world;
    const first = await kyc.createOrReplay(platformId, aRequest());
    await kyc.storeVerdict(platformId, first.record, answered("rejected"));
    const later = aRequest({ occupation: "Poet" });
    const execution = {
      ...executionOf(await lost(world, later), verdict),
      userReference: first.record.externalUserId,
    };
    expect(await world.listed(execution)).toBe("adopted");
    return { ...world, first, execution };
  }

  test("becomes the user's latest record, with its history and its audit entry", async () => {
    const { kyc, platformId, execution, audit } = await rejectedWorld(answered("approved", "acct_1"));
    expect(await kyc.history(platformId, execution.reference)).toMatchObject({
      record: { status: "APPROVED", cardAccountId: "acct_1", externalUserId: execution.userReference },
      history: [{ source: "restored", status: "APPROVED" }],
    });
    expect(await kyc.current(platformId, { memberId: "member-1" })).toMatchObject({
      kycRecordId: execution.reference,
    });
    expect((await audit.list([platformId], { limit: 1 })).entries).toMatchObject([
      { operation: "restore.check", subject: execution.reference, outcome: "done" },
    ]);
  });

  test("is repeated by an equal body, prevents another one, and hides no older record", async () => {
    const { kyc, platformId, first, execution } = await rejectedWorld(answered("pending_approval"));
    const equal = await kyc.createOrReplay(platformId, aRequest({ occupation: "Poet" }));
    expect(equal).toMatchObject({ kind: "replay", record: { kycRecordId: execution.reference } });
    const older = await kyc.createOrReplay(platformId, aRequest());
    expect(older).toMatchObject({ kind: "replay", record: { kycRecordId: first.record.kycRecordId } });
    await expect(kyc.createOrReplay(platformId, aRequest({ occupation: "Painter" }))).rejects.toMatchObject({
      code: "KYC_ALREADY_SUBMITTED",
    });
  });

  test("is due to be asked while it is in review, and is never sent", async () => {
    const { kyc, platformId, execution } = await rejectedWorld(answered("pending_approval"));
    const due = await kyc.leaseDue(10);
    expect(due).toMatchObject([{ kycRecordId: execution.reference }]);
    const [attempt] = due;
    expect(await kyc.loadAttempt(platformId, attempt ?? { kycRecordId: "", attempt: 0 })).toMatchObject({
      step: "ask",
    });
  });

  test("is added once, and not to an erased user", async () => {
    const { listed, execution, erasures, platformId, kyc, all } = await rejectedWorld(answered("approved"));
    expect(await listed(execution)).toBe("known");
    expect(await all("kyc_records")).toHaveLength(2);
    await erasures.request(platformId, execution.userReference);
    expect(await erasures.eraseDue(10)).toBe(1);
    expect(await listed({ ...execution, reference: "kyc_later" })).toBe("erased");
    expect(await all("restored_executions")).toEqual([]);
    expect(await kyc.current(platformId, { memberId: aSubmission().memberId })).toBeNull();
  });
});
