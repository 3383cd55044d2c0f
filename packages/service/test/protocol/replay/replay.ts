import {
  type AnswerReply,
  defaultPolicies,
  type KycSubmission,
  type OrderedVerdict,
  type ProviderExecution,
  type ProviderReply,
} from "@cardbridge/domain";
import type { Client } from "pg";
import { kycRecordsRepository } from "../../../src/database.ts";
import {
  createOperations,
  type Ports,
  recordProviderUpdate,
  requeueRecord,
  resolveDue,
} from "../../../src/index.ts";
import { providerFingerprint } from "../../../src/kyc/prepare-record.ts";
import { refreshRecord } from "../../../src/records/refresh.ts";
import { requeueRecordManually } from "../../../src/records/requeue.ts";
import { resendRecord } from "../../../src/records/resend.ts";
import { checkRestore } from "../../../src/restores/check.ts";
import { callOf, operatorCall } from "../../support/calls.ts";
import { aRequestForDocument, statement } from "../../support/document-requests.ts";
import { actsOn, type makeProposalWorld } from "../../support/proposals.ts";
import { aSubmission, keys, someone } from "../../support/world.ts";
import type { Step } from "../model/model.ts";
import type { AttemptState, Body, Reply, State, Status } from "../model/state.ts";
import { goesOnLate } from "../model/worker.ts";
import { platformBackup } from "./backup.ts";
import { isAtCall, type Process, startProcess } from "./process.ts";
import { storedState } from "./stored-state.ts";

const { kyc: operations } = createOperations(defaultPolicies);
const subStatuses = { review: "pending_approval", approved: "approved", rejected: "rejected" } as const;
const hour = "interval '1 hour'";

const rejection = { outcome: "answered", subStatus: "rejected", cardAccountId: null } as const;

type ProposalWorld = Awaited<ReturnType<typeof makeProposalWorld>>;

/** Where a trace is played: a new platform, with one user. */
interface Stage {
  world: ProposalWorld;
  owner: Client;
}

/**
 * Plays a trace of the model on the service's functions and a real database, and compares what is stored after each step.
 * @throws Error that says after which step the database differs from the model.
 */
export async function replay({ world, owner }: Stage, initial: State, steps: readonly Step[]): Promise<void> {
  const platformId = await world.platform();
  const user = someone(platformId);
  const late = kycRecordsRepository(world.database, { keys, holdAfterSeconds: 0 });
  const ids: string[] = [];
  const executions: ProviderExecution[] = [];
  const backup = platformBackup(owner, platformId);
  const submissionOf = (body: Body) =>
    aSubmission({ ...user, ...(body === "A" ? {} : { occupation: "Poet" }) });
  let processes: Process[] = [];
  const clients = new Set<Process>();
  let proposalId = "";
  let state = initial;

  for (const [index, step] of steps.entries()) {
    const failed = await play(step).then(
      () => wrongCall(step.state),
      (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error)),
    );
    const stored = failed ?? (await storedState(owner, platformId, ids));
    const expected = modelState(step.state);
    if (stored !== expected) {
      const path = steps.slice(0, index + 1).map(({ name, ref }) => `  ${ref} ${name}`);
      throw new Error(
        `The database differs after\n${path.join("\n")}\nmodel:\n${expected}\ndatabase:\n${stored}`,
      );
    }
    state = step.state;
  }
  // No worker leases its records in a later trace.
  await owner.query("update kyc_records set due_at = due_at + interval '1 year' where platform_id = $1", [
    platformId,
  ]);

  /** Why the processes do not make the calls of the model's attempts; undefined if they do. */
  function wrongCall({ attempts }: State): string | undefined {
    const calls = attempts.map(({ step, reply, answer }, index) => {
      const place = processes[index]?.place;
      return reply || answer !== null || place === step
        ? ""
        : `Attempt ${index} is at ${place}, not at ${step}.`;
    });
    return calls.find(Boolean);
  }

  async function play({ name: sentence, ref, attempt: place, state: after }: Step): Promise<void> {
    const kycRecordId = ids[ref] ?? "";
    if (place !== undefined) return playAttempt(sentence, place, after);
    const [name = "", how = ""] = sentence.split(": ");
    if (name.startsWith("a client")) return submit(name, ref, how);
    if (name.startsWith("a worker leases")) return leaseNext(kycRecordId, after);
    if (name.startsWith("a person asks")) {
      await expire(kycRecordId);
      const operation = name.endsWith("again") ? resendRecord : refreshRecord;
      await superseded(
        ref,
        after,
        await start((ports) => operation.execute(ports, operatorCall, { kycRecordId })),
      );
      return;
    }
    switch (name) {
      case "an event makes it due":
        await expire(kycRecordId);
        await requeueRecord(world.ports, about(kycRecordId));
        return superseded(ref, after);
      case "an event brings the decision":
      case "an event brings an earlier decision":
      case "an event brings the request":
        return sendEvent(name, kycRecordId, how);
      case "the document expires soon":
        return change(kycRecordId, "document_expiry = 'expiring'");
      case "a backup is made":
        return backup.make();
      case "the database is lost, and restored":
        processes = [];
        return backup.restore();
      case "the check asks the provider for its executions":
        return checkRestored();
      case "the client answers the request":
        return answer(kycRecordId);
      case "a person requeues it":
        await requeueRecordManually.execute(world.ports, operatorCall, { kycRecordId });
        return;
      case "a person enters a rejection":
        await world.records.resolve(kycRecordId, { decision: rejection });
        return;
      case "a person proposes an approval":
        for (const personId of ["per_ada", "per_grace"]) await world.open(kycRecordId, personId);
        proposalId = (await world.propose(actsOn({ platformId, kycRecordId, externalUserId: "" }).approve))
          .proposalId;
        return;
      case "another person confirms": {
        const { confirmed } = (await world.confirm(proposalId)) ?? { confirmed: false };
        if (!confirmed) throw new Error("The proposal is not confirmed.");
        return;
      }
      default:
        // The provider acts: nothing of it is in the database.
        if (!name.startsWith("the provider")) throw new Error(`No step is named ${name}.`);
    }
  }

  async function start(
    run: (ports: Ports) => Promise<unknown>,
    changes: Partial<Ports> = {},
  ): Promise<Process> {
    return startProcess({ ...world.ports, ...changes }, late, run);
  }

  async function submit(name: string, ref: number, how: string): Promise<void> {
    const [body = "A", key] = how.split(" with the key ") as [Body, string | undefined];
    const call = callOf("platform", { platformId, scopes: ["kyc:write"], idempotencyKey: key });
    const submission = submissionOf(body);
    const slots = { ...world.ports.providerSlots, tryTake: () => undefined };
    const isFull = name.endsWith("no slot is free");
    const process = await start((ports) => operations.submit.execute(ports, call, submission), {
      ...(isFull && { providerSlots: slots }),
    });
    await learn(ref, submission);
    const isHeld = name === "a client submits" || name === "a client submits what was forgotten";
    if (isHeld) processes.push(process);
    clients.add(process);
    if (name.includes("process dies")) return;
    if (isHeld) return;
    expectPlace(process.place, "end");
    await checkResponse(process, ref);
  }

  /** A client gets the reference of its record, whatever happened to its attempt. */
  async function checkResponse(process: Process, ref: number): Promise<void> {
    if (!clients.has(process)) return;
    const result = await process.result;
    const text = JSON.stringify(result, (_key, value) => (value instanceof Error ? { ...value } : value));
    if (!text.includes(String(ids[ref]))) throw new Error(`The client gets ${text}, not ${ids[ref]}.`);
  }

  async function leaseNext(kycRecordId: string, after: State): Promise<void> {
    await expire(kycRecordId);
    await owner.query(
      `update kyc_records set due_at = clock_timestamp() + case when id = $1 then -${hour} else ${hour} end
       where due_at is not null and (id = $1 or due_at <= clock_timestamp())`,
      [kycRecordId],
    );
    const [due] = await world.kyc.leaseDue(1);
    if (due?.kycRecordId !== kycRecordId) throw new Error(`The worker leased ${due?.kycRecordId}.`);
    const process = await start((ports) => resolveDue(ports, due));
    await superseded(ids.indexOf(kycRecordId), after, process);
  }

  /** Ends the attempts that another one replaced and that have a reply: they must store nothing. */
  async function superseded(ref: number, after: State, added?: Process): Promise<void> {
    const goesOn = (attempt: AttemptState) =>
      attempt.ref !== ref || !attempt.owns || goesOnLate(after, attempt);
    const [gone, kept] = [[] as Process[], [] as Process[]];
    for (const [place, attempt] of state.attempts.entries())
      (goesOn(attempt) ? kept : gone).push(processes[place] as Process);
    if (after.attempts.length !== kept.length + (added ? 1 : 0)) throw new Error("The attempts differ.");
    for (const process of gone) {
      process.reply ??= { outcome: "answered", subStatus: "rejected", cardAccountId: null, revision: null };
      await finish(process);
      await checkResponse(process, ref);
    }
    processes = added ? [...kept, added] : kept;
  }

  async function playAttempt(name: string, place: number, after: State): Promise<void> {
    const process = processes[place] as Process;
    const drop = () => processes.splice(place, 1);
    if (name.startsWith("the process dies") || name.endsWith("and the process dies")) return void drop();
    if (process.place === "answer") return expectPlace(await process.release(answerReply(name)), "store");
    const reply = after.attempts[place]?.reply ?? null;
    if (after.attempts.length === state.attempts.length && isAtCall(process) && !process.reply) {
      process.reply = toProviderReply(reply);
      return;
    }
    if (isAtCall(process)) await process.release(process.reply);
    process.reply = null;
    if (name === "the answer is claimed") return expectPlace(process.place, "answer");
    if (name === "the request is stored" || name === "the answer is not sent again yet")
      return expectPlace(process.place, "store");
    process.overdue = name === "it is left to a person";
    await finish(process, name === "a person sends it again" ? "send" : "end");
    if (name === "a person sends it again") return;
    drop();
    await checkResponse(process, state.attempts[place]?.ref ?? -1);
  }

  async function finish(process: Process, place = "end"): Promise<void> {
    if (isAtCall(process) && process.reply) await process.release(process.reply);
    process.reply = null;
    while (process.place === "store") await process.release();
    expectPlace(process.place, place);
  }

  function expectPlace(place: string, expected: string): void {
    if (place !== expected) throw new Error(`The attempt is at ${place}, not at ${expected}.`);
  }

  async function sendEvent(name: string, kycRecordId: string, status: string): Promise<void> {
    const ref = ids.indexOf(kycRecordId);
    const decisions = state.executions.find((one) => one.ref === ref)?.decisions ?? [];
    const isRequest = name === "an event brings the request";
    const index = isRequest
      ? 0
      : name === "an event brings the decision"
        ? decisions.length - 1
        : decisions.slice(0, -1).indexOf(status as Status);
    const verdict: OrderedVerdict = {
      outcome: "answered",
      subStatus: subStatuses[decisions[index] ?? "review"],
      cardAccountId: null,
      revision: index + 1,
      ...(isRequest && { requests: [aRequestForDocument()] }),
    };
    await recordProviderUpdate(world.ports, { ...about(kycRecordId), verdict });
  }

  async function answer(kycRecordId: string): Promise<void> {
    const { rows } = await owner.query("select id from document_requests where record_id = $1", [
      kycRecordId,
    ]);
    const call = callOf("platform", { platformId, scopes: ["kyc:write"] });
    const input = { kycRecordId, documentRequestId: rows[0]?.id, files: [statement(`${Math.random()}`)] };
    await operations.answerRequest.execute(world.ports, call, input);
  }

  /** Ends the lease of a record, if there is one. */
  async function expire(id: string): Promise<void> {
    const ended = `clock_timestamp() - ${hour}`;
    const due = `due_at = case when due_at is null then null else ${ended} end`;
    await change(id, `lease_until = ${ended}, ${due}`, "lease_until is not null");
  }

  async function change(id: string, assignment: string, condition = "true"): Promise<void> {
    await owner.query(`update kyc_records set ${assignment} where id = $1 and ${condition}`, [id]);
  }

  /** Reads the id of a new record, and what the provider will list about its execution. */
  async function learn(ref: number, submission: KycSubmission): Promise<void> {
    const { rows } = await owner.query(
      "select id, user_id, created_at from kyc_records where platform_id = $1 order by created_at desc, id desc limit 1",
      [platformId],
    );
    const [row] = rows;
    if (!row || ids.includes(row.id)) return;
    if (ids[ref] !== undefined) throw new Error(`Record ${ref} has another id.`);
    const { fingerprints } = await world.ports.personalDataKeys();
    ids[ref] = row.id;
    executions[ref] = {
      reference: row.id,
      userReference: row.user_id,
      executedAt: row.created_at,
      fingerprint: providerFingerprint(platformId, submission, fingerprints),
      verdict: { outcome: "answered", subStatus: "pending_approval", cardAccountId: null, revision: 1 },
    };
  }

  async function checkRestored(): Promise<void> {
    const executed = executions.filter((_, ref) =>
      state.executions.some((one) => one.ref === ref && one.effects > 0),
    );
    const listExecutions = async () => ({ executions: executed, nextCursor: null });
    const ports = { ...world.ports, provider: { ...world.ports.provider, listExecutions } };
    await checkRestore.execute(ports, operatorCall, { since: new Date(0).toISOString() });
  }

  function about(id: string): ProviderExecution {
    const known = executions[ids.indexOf(id)];
    if (!known) throw new Error(`No record is ${id}.`);
    return known;
  }

  function answerReply(name: string): AnswerReply {
    if (name === "the provider takes the answer") return { outcome: "accepted" };
    if (name === "the provider refuses the answer")
      return { outcome: "refused", reason: "DOCUMENT_UNREADABLE" };
    return { outcome: name === "the provider cannot be reached" ? "unsent" : "unknown", reason: "deadline" };
  }

  function toProviderReply(reply: Reply | null): ProviderReply {
    if (!reply) throw new Error("The attempt has no reply.");
    if (!("status" in reply)) return { reason: "deadline", ...reply } as ProviderReply;
    if (reply.outcome === "refused") return { outcome: "refused" };
    const subStatus = subStatuses[reply.status ?? "review"];
    const requests = reply.asks ? [aRequestForDocument({ status: reply.asks })] : undefined;
    const answered = {
      outcome: "answered",
      subStatus,
      cardAccountId: null,
      revision: reply.revision,
    } as const;
    return requests ? { ...answered, requests } : answered;
  }
}

/** What of the model's state is in the database, one line for each record and key. */
function modelState({ records, keys: used }: State): string {
  const lines = records.map(({ ref, body: _, request, ...record }) =>
    [
      `${ref} ${record.row} ${record.step} ${record.notFound}`,
      record.leased && "leased",
      record.due && "due",
      record.needsAttention && "needs attention",
      record.renews !== null && `renews ${record.renews}`,
      record.wasApproved && "was approved",
      record.expires && "expires",
      request && `request ${request.status} ${request.notFound}`,
      request?.attempted && "attempted",
      request?.sent && "sent",
    ]
      .filter(Boolean)
      .join(", "),
  );
  return [...lines, ...used.map(({ key, ref }) => `key ${key} ${ref}`).sort()].join("\n");
}
