import type { RouterOutputs } from "@cardbridge/trpc-client";
import { colleagues, type Row } from "./rows.ts";

const after = (row: Row, minutes: number) =>
  new Date(Math.min(Date.now() - 5_000, Date.parse(row.createdAt) + minutes * 60_000)).toISOString();

/** A row with the time of an assignment while the fake service runs, and whether two persons decided it. */
export type FakeRow = Row & { assignedAt?: string; manual?: boolean };

/** What an operator does next, by the state of a record. */
function nextOf({ needsAttentionSince, resolution, status, lastAttempt, manual = false }: FakeRow) {
  if (resolution === "unresolved" && lastAttempt?.outcome === "not-found") {
    return {
      situation: "not-found",
      operator: "The provider has no trace of this submission. Send it again: it counts once.",
      person: "We are sending your documents to our partner once more. You need not do anything.",
      action: "resend",
    };
  }
  if (resolution === "unresolved" && lastAttempt?.reason === "wrong-shape") {
    return {
      situation: "mismatched",
      operator:
        "The provider answers about another submission. Resolve the record with the decision that they give you.",
      person: "We are still checking your documents. You need not do anything now.",
      action: "resolve",
    };
  }
  if (resolution === "unresolved" && needsAttentionSince !== null) {
    return {
      situation: "no-answer",
      operator:
        "The provider has not answered for a while. Ask it again now; if it stays silent, hand the record to the workers.",
      person:
        "We are waiting for our partner's answer. Your documents have arrived, and you need not send them again.",
      action: "refresh",
    };
  }
  if (resolution === "unresolved") {
    return {
      situation: "in-progress",
      operator: "Workers are asking the provider. There is nothing to do yet.",
      person: "We are checking your documents. This usually takes a few minutes.",
      action: null,
    };
  }
  if (resolution === "refused" || status === "REJECTED") {
    return {
      situation: "declined",
      operator: "The provider declined it. Tell the person what to correct; they can submit again.",
      person: "Please send a sharp photo of your whole document, and a selfie of yourself.",
      action: null,
    };
  }
  if (status === "APPROVED") {
    return {
      situation: "approved",
      operator: manual
        ? "It was set to approved manually. You need not do anything."
        : "The provider approved it.",
      person: "Your documents were accepted. You need not do anything.",
      action: null,
    };
  }
  return {
    situation: "with-provider",
    operator: "The provider reviews it. There is nothing to do.",
    person: "Our partner is reviewing your documents.",
    action: null,
  };
}

/** A record with its history, as records.get returns it. */
export function recordOf(row: FakeRow, attempt: number) {
  const {
    kycRecordId,
    platformId,
    platformName,
    externalUserId,
    resolution,
    status,
    subStatus,
    createdAt,
    dueAt,
  } = row;
  const source = "submission" as const;
  const [, ben, clarissa] = colleagues;
  const key = "key_01m8demo000000000000000000";
  const decision = row.manual
    ? { source: "person" as const, by: `${clarissa.personId}/${key}`, proposedBy: `${ben.personId}/${key}` }
    : { source: "provider" as const, by: null, proposedBy: null };
  const first = {
    resolution: "unresolved",
    status: null,
    subStatus: null,
    source,
    by: null,
    proposedBy: null,
    explanation: null,
  } as const;
  const decided = resolution !== "unresolved";
  const declined = resolution === "refused" || status === "REJECTED";
  const explanation = declined
    ? {
        reasons: row.reasons.map((code, index) => ({ code, field: index === 0 ? "/frontImageUrl" : null })),
        final: false,
      }
    : null;
  return {
    kycRecordId,
    platformId,
    platformName,
    resolution,
    attempt,
    step: "ask" as const,
    notFound: row.lastAttempt?.outcome === "not-found" ? 3 : 0,
    createdAt,
    // Each change of the state makes another one.
    version: `v${attempt}${resolution.length}${status?.length ?? 0}`,
    dueAt,
    leaseUntil: null,
    needsAttentionSince: row.needsAttentionSince,
    readAt: new Date().toISOString(),
    externalUserId,
    status,
    subStatus,
    cardAccountId: status === "APPROVED" ? "acct_0a1b2c3d4e5f" : null,
    revision: decided ? 2 : null,
    explanation,
    history: [
      { ...first, observedAt: createdAt },
      ...(decided
        ? [
            {
              resolution,
              status,
              subStatus,
              ...decision,
              observedAt: after(row, 4),
              explanation,
            },
          ]
        : []),
    ],
    providerSteps: [{ name: "cardholder", result: { id: "ch_8f2c1a0b9d7e4f31" }, storedAt: after(row, 0.1) }],
    deliveries: decided ? [deliveryOf(row)] : [],
    next: { manual: row.manual === true, ...nextOf(row) },
    persons: colleagues,
    views: viewsOf(row),
    assignee: row.assignee,
    assignedAt: row.assignmentVersion > 0 ? (row.assignedAt ?? after(row, 10)) : null,
    assignmentVersion: row.assignmentVersion,
  };
}

function deliveryOf(row: Row) {
  return {
    deliveryId: `whd_${row.kycRecordId.slice(4)}`,
    endpointId: "whe_01m8demo000000000000000000",
    webhookId: "msg_01m8demo000000000000000000",
    type: "kyc.updated" as const,
    kycRecordId: row.kycRecordId,
    sequence: 2,
    status: "delivered" as const,
    attempts: 2,
    createdAt: after(row, 4),
    dueAt: null,
    deliveredAt: after(row, 4.5),
  };
}

/** Colleagues who opened a record: before their notes, twice within a visit, and at the command line. */
function viewsOf(row: FakeRow): RouterOutputs["records"]["get"]["views"] {
  const [ada, ben, clarissa] = colleagues;
  const view = (by: (typeof colleagues)[number], minutes: number) => ({
    by,
    actor: `${by.personId}/key_01m8demo${String(minutes).padStart(18, "0")}`,
    at: after(row, minutes),
  });
  return [
    view(clarissa, 55),
    view(clarissa, 40),
    view(clarissa, 24),
    { by: null, actor: "claim:dana", at: after(row, 20) },
    view(ben, 11),
    view(ada, 9),
  ];
}

/** The attempts of a record: sent once, then asked until now. */
export function attemptsOf(row: Row): RouterOutputs["records"]["attempts"]["attempts"] {
  const last = row.lastAttempt ?? { outcome: "answered", reason: null, count: 1 };
  const common = { count: 1, by: "submission", milliseconds: 10_004 };
  return [
    {
      ...common,
      number: 1,
      lastNumber: 1,
      step: "send",
      startedAt: after(row, 0),
      lastStartedAt: after(row, 0),
      outcome: "unknown",
      reason: "timeout",
    },
    {
      ...common,
      number: 2,
      lastNumber: 1 + last.count,
      step: "ask",
      startedAt: after(row, 0.5),
      lastStartedAt: after(row, 0.5 * (last.count + 1)),
      outcome: last.outcome,
      reason: last.reason,
      milliseconds: 412,
      by: "worker",
      count: last.count,
    },
  ];
}

/** Two notes of colleagues, one of them for compliance only. */
export function notesOf(row: Row): RouterOutputs["records"]["notes"]["notes"] {
  const [, ben, clarissa] = colleagues;
  return [
    {
      noteId: `note_${row.kycRecordId.slice(4)}1`,
      text: "Rang the provider's desk: their queue is long today, they promise an answer before 18:00.",
      restricted: false,
      by: ben,
      actor: ben.personId,
      createdAt: after(row, 12),
    },
    {
      noteId: `note_${row.kycRecordId.slice(4)}2`,
      text: "Second submission with this address in a week.\nLooked at both: a family, nothing to report.",
      restricted: true,
      by: clarissa,
      actor: clarissa.personId,
      createdAt: after(row, 25),
    },
  ];
}
