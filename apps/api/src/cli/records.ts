import { knownSubStatuses, kycReasonCodes } from "@cardbridge/domain";
import { Option } from "commander";
import type { Given, NounDetails } from "./details.ts";
import { CommandError } from "./errors.ts";
import { reportProposed } from "./proposals.ts";
import { changeOf, reportAttempt } from "./replies.ts";
import { deliveryColumns } from "./webhooks.ts";

export const records = {
  list: {
    columns: {
      records: "kycRecordId resolution needsAttentionSince createdAt attempt step dueAt platformId",
    },
  },
  get: { columns: { deliveries: deliveryColumns } },
  attempts: {
    columns: { attempts: "number lastNumber count step startedAt milliseconds outcome reason by" },
  },
  notes: { requires: ["keys"], columns: { notes: "createdAt restricted by actor text" } },
  assign: { requires: ["keys"], names: { version: "assignmentVersion" } },
  addNote: { arguments: ["kycRecordId", "text"], requires: ["keys"] },
  requeueMany: {
    description:
      "Makes the records that need attention and match the filter due now, oldest first, up to --limit. With --preview, it " +
      "counts them only. Each requeued record has its audit entry. Repeat the command while there are more.",
    example: "records requeue-many --platform-ids plt_… --preview",
    options: [new Option("--preview", "counts the records, and changes nothing")],
    input: ({ preview }) => ({ preview: preview === true }),
  },
  refresh: { requires: ["provider"], report: (attempt) => reportAttempt(attempt) },
  resend: { requires: ["provider"], report: (attempt) => reportAttempt(attempt, true) },
  resolve: {
    example: "records resolve kyc_… --status rejected --note 'By telephone, case 4711'",
    options: [
      new Option("--refused", "the provider refused the submission").conflicts("status"),
      new Option("--status <status>", "the provider's status").choices(knownSubStatuses),
      new Option("--account <id>", "the card account that the provider opened").conflicts("refused"),
      new Option("--no-account", "the provider opened no card account"),
      new Option("--reason <codes...>", "why the provider refused or rejected it").choices(kycReasonCodes),
      new Option("--final", "another submission of the user will not help"),
    ],
    input: (options) => ({ decision: decisionOf(options) }),
    flags: {
      decision: "--refused, --status",
      "decision.cardAccountId": "--account",
      "decision.explanation": "--reason, --final",
    },
    requires: ["keys"],
    report: ({ before, after, proposal }) => ({
      text: changeOf(before, after),
      ...reportProposed({ proposal }),
    }),
  },
} satisfies NounDetails<"records">;

/** The provider's decision as the operator enters it; undefined without `--refused` and `--status`. */
function decisionOf({ refused, status, account, reason, final = false }: Given) {
  const reasons = [reason ?? []].flat().map((code) => ({ code }));
  const explanation = reasons.length > 0 || final ? { reasons, final } : undefined;
  if (refused) return { outcome: "refused", explanation };
  if (!status) return undefined;
  // A forgotten account would leave the user approved without a card.
  if (status === "approved" && account === undefined) {
    throw new CommandError("Give the card account of the approval with --account <id>, or --no-account.", 2);
  }
  return {
    outcome: "answered",
    subStatus: status,
    cardAccountId: account === false ? null : (account ?? null),
    explanation,
  };
}
