import * as z from "zod";

/** What an operator does next. `ask-person`: the person has to submit again. */
export const recordActions = ["refresh", "resend", "requeue", "resolve", "ask-person", "none"] as const;

/** The attempts without a verdict since the last verdict. */
export interface FailedAttempts {
  /** The number of the last equal attempts. */
  times: number;
  /** Why the last one failed, as a code; null without one. */
  reason: string | null;
}

interface Situation {
  operator: string | ((failed: FailedAttempts) => string);
  person: string;
  action: (typeof recordActions)[number];
}

const checking = "We are still checking your documents. You need not do anything now.";
const again =
  "Your documents were not accepted. Please check your details and documents, and submit them again.";
const final = "Your documents were not accepted. Submitting them again does not change this.";

const because = ({ reason }: FailedAttempts) => (reason ? ` (${reason})` : "");
const attempts = ({ times }: FailedAttempts) => (times === 1 ? "the last attempt" : `${times} attempts`);

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
    operator: (failed) =>
      `The provider did not decide in ${attempts(failed)}${because(failed)}. Workers try again. You need not do anything.`,
    person: checking,
    action: "none",
  },
  overdue: {
    operator: "The record has been due for more than 10 minutes. Check whether a worker runs.",
    person: checking,
    action: "none",
  },
  "no-answer": {
    operator: (failed) =>
      `The provider did not answer ${attempts(failed)}${because(failed)}. ` +
      "Refresh the record; if the provider says not-found, send it again.",
    person: checking,
    action: "refresh",
  },
  "not-found": {
    operator: "The provider does not have the submission. Send it again.",
    person: checking,
    action: "resend",
  },
  "not-sent": {
    operator: (failed) =>
      `Nothing reached the provider in ${attempts(failed)}${because(failed)}. ` +
      "Requeue the record when the provider can be reached again.",
    person: checking,
    action: "requeue",
  },
  "access-refused": {
    operator: (failed) =>
      `The provider does not accept the service's credentials${because(failed)}. Correct them, then requeue the record.`,
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
    operator: (failed) =>
      `The provider returned an error that the service does not know${because(failed)}. ` +
      "Ask the provider what it means, and resolve the record with the decision that they give you.",
    person: checking,
    action: "resolve",
  },
  "file-missing": {
    operator:
      "A file of the submission cannot be read, so it cannot be sent. Refresh the record; if the provider says not-found, " +
      "resolve it as refused, and the person submits again.",
    person: checking,
    action: "refresh",
  },
  "no-attempt-stored": {
    operator:
      "No attempt stored its outcome. Refresh the record; if the provider says not-found, send it again.",
    person: checking,
    action: "refresh",
  },
  "in-review": {
    operator: "The provider reviews it. Workers query its decision. You need not do anything.",
    person: checking,
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
    operator: "The provider approved it. You need not do anything.",
    person: "Your documents were accepted. You need not do anything.",
    action: "none",
  },
  rejected: {
    operator: "The provider rejected it. The person may submit again.",
    person: again,
    action: "ask-person",
  },
  "rejected-finally": {
    operator: "The provider rejected it, and another submission does not help. You need not do anything.",
    person: final,
    action: "none",
  },
  refused: {
    operator: "The provider refused the submission. The person may submit again.",
    person: again,
    action: "ask-person",
  },
  "refused-finally": {
    operator: "The provider refused the submission, and another one does not help. You need not do anything.",
    person: final,
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
  })
  .meta({ id: "RecordNext" });
export type RecordNext = z.output<typeof recordNext>;

/** The words of a situation. */
export function describeSituation(situation: RecordSituation, failed: FailedAttempts): RecordNext {
  const { operator, person, action }: Situation = situations[situation];
  return { situation, operator: typeof operator === "string" ? operator : operator(failed), person, action };
}
