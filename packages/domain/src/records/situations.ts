import * as z from "zod";
import type { OperatorScope } from "../keys/scopes.ts";
import type { DocumentRequest } from "../kyc/document-requests.ts";
import { documentWords } from "../kyc/document-words.ts";
import { declinedWords } from "../kyc/person-words.ts";
import type { KycExplanation } from "../kyc/reasons.ts";
import { failureWords } from "../kyc/reply-words.ts";
import { role, rolesWith } from "../persons/role.ts";

/** What an operator does next. `ask-person`: the person has to submit again. */
const recordActions = ["refresh", "resend", "requeue", "resolve", "ask-person", "none"] as const;

/** The scope of the operation that does it. */
const scopeOfAction: Partial<Record<(typeof recordActions)[number], OperatorScope>> = {
  refresh: "ops.records.act",
  resend: "ops.records.act",
  requeue: "ops.records.act",
  resolve: "ops.records.decide",
};

/** What the words of a situation depend on. */
export interface SituationFacts {
  /** The number of the last equal attempts. */
  times: number;
  /** Why the last attempt failed, as a code; null without one. */
  reason: string | null;
  /** Whether an operator entered the decision. */
  manual: boolean;
  /** Why it was declined; null without a disclosable reason. */
  explanation: KycExplanation | null;
  /** The requests that the situation is about, oldest first. Only situations of requests have some. */
  requests: readonly DocumentRequest[];
}

interface Situation {
  operator: string | ((facts: SituationFacts) => string);
  person: string | ((facts: SituationFacts) => string);
  action: (typeof recordActions)[number];
}

const checking = "We are still checking your documents. You need not do anything now.";
const again =
  "Your documents were not accepted. Please check your details and documents, and submit them again.";
const final = "Your documents were not accepted. Submitting them again does not change this.";

/** What is wrong with which document, and what helps; without a reason, a sentence for all of them. */
const declined =
  (unexplained: string) =>
  ({ explanation }: SituationFacts) =>
    explanation && explanation.reasons.length > 0 ? declinedWords(explanation) : unexplained;

/** Why the last attempt failed, behind a colon; nothing if it cannot be said in words. */
const because = ({ reason }: SituationFacts) => {
  const why = failureWords(reason);
  return why ? `: ${why}` : "";
};
const attempts = ({ times }: SituationFacts) => (times === 1 ? "The last attempt" : `${times} attempts`);

/** The provider is named only for what it said: not for a decision that an operator entered. */
const decided =
  (word: string, byProvider: string, next: string) =>
  ({ manual }: SituationFacts) =>
    `${manual ? `It was set to ${word} manually.` : byProvider} ${next}`;

const approvedAnd = (next: string) => decided("approved", "The provider approved it.", next);

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });
const minute = new Intl.DateTimeFormat("en-GB", {
  ...{ day: "numeric", month: "long", hour: "2-digit", minute: "2-digit" },
  ...{ timeZone: "UTC", timeZoneName: "short" },
});

/** The earliest of some moments; undefined without one. */
const earliest = (moments: (string | null)[]) =>
  moments
    .flatMap((moment) => (moment === null ? [] : Date.parse(moment)))
    .toSorted((one, other) => one - other)[0];
const documents = ({ requests }: SituationFacts) =>
  new Intl.ListFormat("en-GB").format(
    new Set(requests.map((request) => documentWords(request.documentType))),
  );
const due = (word: string, { requests }: SituationFacts) => {
  const at = earliest(requests.map(({ dueAt }) => dueAt));
  return at === undefined ? "" : `${word} ${day.format(at)}`;
};
const asked = (facts: SituationFacts) =>
  `The provider asked for ${documents(facts)} on ${day.format(earliest(facts.requests.map((one) => one.requestedAt)))}` +
  `${due(", and waits until", facts)}.`;

/** Every situation of a record: what the operator and the person are told, and what the operator does next. */
export const situations = {
  "in-progress": {
    operator: "An attempt is in progress. Wait until it ends.",
    person: checking,
    action: "none",
  },
  waiting: {
    operator: "A worker attempts the record next. You need not do anything.",
    person: checking,
    action: "none",
  },
  retrying: {
    operator: (facts) =>
      `${attempts(facts)} brought no decision${because(facts)}. Workers try again. You need not do anything.`,
    person: checking,
    action: "none",
  },
  overdue: {
    operator: "The record has been due for more than 10 minutes. Check whether a worker runs.",
    person: checking,
    action: "none",
  },
  "no-answer": {
    operator: (facts) =>
      `${attempts(facts)} brought no answer${because(facts)}. ` +
      "Refresh the record; if the provider does not know it, send it again.",
    person: checking,
    action: "refresh",
  },
  "not-found": {
    operator: "The provider does not know the submission. Send it again.",
    person: checking,
    action: "resend",
  },
  "not-sent": {
    operator: (facts) =>
      `${attempts(facts)} did not reach the provider${because(facts)}. ` +
      "Requeue the record when the provider can be reached again.",
    person: checking,
    action: "requeue",
  },
  "access-refused": {
    operator:
      "The provider refused the service's credentials, or its clock. Somebody who operates the service corrects them; then " +
      "requeue the record.",
    person: checking,
    action: "requeue",
  },
  mismatched: {
    operator:
      "The provider answers about another submission. Send nothing. Tell the provider the ids of the record and the user, " +
      "and resolve the record with the decision that they give you.",
    person: checking,
    action: "resolve",
  },
  "unknown-error": {
    operator:
      "The provider returned an error that the service does not know. The attempt names it: ask the provider what it " +
      "means, and resolve the record with the decision that they give you.",
    person: checking,
    action: "resolve",
  },
  "file-missing": {
    operator:
      "A file of the submission cannot be read, so it cannot be sent. Refresh the record; if the provider does not know " +
      "it, resolve it as refused, and the person submits again.",
    person: checking,
    action: "refresh",
  },
  "no-attempt-stored": {
    operator:
      "No attempt stored its outcome. Refresh the record; if the provider does not know it, send it again.",
    person: checking,
    action: "refresh",
  },
  "in-review": {
    operator: decided(
      "in review",
      "The provider reviews it.",
      "Workers query the provider's decision. You need not do anything.",
    ),
    person: checking,
    action: "none",
  },
  "request-without-file": {
    operator: (facts) =>
      `${asked(facts)} No file answers this: ask the person, and answer the provider outside of this service.`,
    person: (facts) => `We need one more thing from you: ${documents(facts)}. We tell you how to send it.`,
    action: "none",
  },
  "request-overdue": {
    operator: (facts) =>
      `The provider waited for ${documents(facts)}${due(" until", facts)}, and the platform did not answer. ` +
      "Remind the platform, and ask the provider whether it still waits.",
    person: (facts) => `Please send ${documents(facts)} now. We waited for it${due(" until", facts)}.`,
    action: "none",
  },
  "document-requested": {
    operator: (facts) => `${asked(facts)} The platform answers. You need not do anything.`,
    person: (facts) => `Please send ${documents(facts)}${due(" by", facts)}.`,
    action: "none",
  },
  "answer-not-sent": {
    operator: (facts) =>
      `The platform sent ${documents(facts)} on ${minute.format(earliest(facts.requests.map(({ answeredAt }) => answeredAt)))}, ` +
      `and the provider does not have it yet${because(facts)}. ` +
      "Workers send it. If it takes longer than half an hour, check whether a worker runs.",
    person: checking,
    action: "none",
  },
  incomplete: {
    operator: decided(
      "incomplete",
      "The provider has it, and has not begun its review.",
      "Workers query it again. If it stays incomplete, ask the provider what is missing.",
    ),
    person: "Your verification is not complete yet. We ask what is missing, and tell you.",
    action: "none",
  },
  "unknown-status": {
    operator:
      "The provider has it, with a status that the service does not know. Workers query it again. Ask the provider what " +
      "the status means.",
    person: checking,
    action: "none",
  },
  approved: {
    operator: approvedAnd("You need not do anything."),
    person: "Your documents were accepted. You need not do anything.",
    action: "none",
  },
  "document-expiring": {
    operator: approvedAnd("The document expires soon: the person submits the new one to renew the approval."),
    person: "Your document expires soon. Please submit your new one.",
    action: "ask-person",
  },
  "document-expired": {
    operator: approvedAnd("The document has expired: the person submits a new one to renew the approval."),
    person: "Your document has expired. Please submit a new one.",
    action: "ask-person",
  },
  "renewal-under-way": {
    operator: approvedAnd(
      "A later submission renews it, and this approval stands until the provider decides. You need not do anything.",
    ),
    person: checking,
    action: "none",
  },
  renewed: {
    operator: approvedAnd("A later approval replaced this one. Look at that record."),
    person: "You have submitted a newer document, which counts now.",
    action: "none",
  },
  rejected: {
    operator: decided("rejected", "The provider rejected it.", "The person may submit again."),
    person: declined(again),
    action: "ask-person",
  },
  "rejected-finally": {
    operator: decided("rejected", "The provider rejected it.", "Another submission does not help."),
    person: declined(final),
    action: "none",
  },
  refused: {
    operator: decided("refused", "The provider refused the submission.", "The person may submit again."),
    person: declined(again),
    action: "ask-person",
  },
  "refused-finally": {
    operator: decided("refused", "The provider refused the submission.", "Another one does not help."),
    person: declined(final),
    action: "none",
  },
} as const satisfies Record<string, Situation>;

export type RecordSituation = keyof typeof situations;

/** Why a record is as it is and what to do next, in the same words for every app. */
export const recordNext = z
  .object({
    situation: z.enum(Object.keys(situations) as [RecordSituation, ...RecordSituation[]]),
    operator: z.string().meta({ description: "For the operator: the situation, and what to do." }),
    person: z.string().meta({ description: "What the operator can tell the person." }),
    action: z.enum(recordActions),
    roles: z
      .array(role)
      .meta({ description: "The roles that may do the action; none for an action outside." }),
    manual: z.boolean().meta({ description: "Whether an operator entered the decision, not the provider." }),
  })
  .meta({ id: "RecordNext" });
export type RecordNext = z.output<typeof recordNext>;

/** The words of a situation. */
export function describeSituation(situation: RecordSituation, facts: SituationFacts): RecordNext {
  const { operator, person, action }: Situation = situations[situation];
  const scope = scopeOfAction[action];
  return {
    situation,
    operator: typeof operator === "string" ? operator : operator(facts),
    person: typeof person === "string" ? person : person(facts),
    action,
    roles: scope ? rolesWith([scope]) : [],
    manual: facts.manual,
  };
}
