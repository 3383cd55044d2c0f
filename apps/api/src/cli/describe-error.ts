import { type ErrorCode, Failure, type Violation } from "@cardbridge/domain";
import { hasSafeMessage } from "../composition/safe-errors.ts";
import { stackFramesOf } from "../observability/stack-frames.ts";
import { CommandError } from "./command-error.ts";

/** The arguments and options for those input fields of operations that have another name. */
const argumentNames: Readonly<Record<string, string>> = {
  platformId: "--platform",
  kycRecordId: "<id>",
  keyId: "<id>",
  expiresAt: "--expires",
  scopes: "--scopes",
  mode: "--live, --test",
  externalUserId: "<externalUserId>",
  memberId: "--member-id",
  email: "--email",
  overlapHours: "--overlap",
  endpointId: "<id>",
  deliveryId: "<delivery>",
  url: "--url",
  eventTypes: "--events",
  description: "--description",
  since: "--since",
  page: "--page",
  "decision.cardAccountId": "--account",
  "decision.explanation": "--reason, --final",
  "decision.explanation.reasons": "--reason",
};

/** Sentences for those codes whose own message suits callers of the API better than operators. */
const sentences: Partial<Record<ErrorCode, string>> = {
  KYC_RECORD_NOT_FOUND: "There is no KYC record with this id.",
  SERVICE_UNAVAILABLE: "The database became unavailable. Check what it stored before you continue.",
};

/** Why a command failed: never a stack, and never the message of an unexpected error, which may quote a value. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return "An unexpected error occurred.";
  if (error instanceof Failure) return describeFailure(error);
  if (error instanceof CommandError || hasSafeMessage(error)) return error.message;
  const [place = "at an unknown place"] = stackFramesOf(error);
  return `An unexpected error occurred: ${error.name} ${place}.`;
}

/** Whether the arguments of the command are wrong, by the rules of its operation. */
export function isUsageError(error: unknown): boolean {
  return error instanceof Failure && error.code === "INVALID_INPUT";
}

function describeFailure({ code, message, details: { violations = [] } }: Failure): string {
  if (violations.length === 0) return sentences[code] ?? message;
  const lines = violations.map((violation) =>
    code === "INVALID_INPUT" ? `${argumentOf(violation)}: ${violation.message}` : violation.message,
  );
  return [...new Set(lines)].join("\n");
}

function argumentOf({ path }: Violation): string {
  const [field = ""] = path;
  return argumentNames[path.join(".")] ?? argumentNames[field] ?? String(field);
}
