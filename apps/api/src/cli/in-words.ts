import { Failure } from "@cardbridge/domain";
import { SafeDatabaseError, WrongKeys } from "@cardbridge/store";
import { ConfigurationError } from "../config/configuration-error.ts";
import { stackFramesOf } from "../observability/stack-frames.ts";
import { CannotBeDone } from "../operations/by-hand.ts";
import { StartError } from "../process/start-error.ts";

const foreseen = [CannotBeDone, ConfigurationError, StartError, SafeDatabaseError, WrongKeys];

/** What the command line calls those fields of operations that it has other words for. */
const options: Readonly<Record<string, string>> = {
  platformId: "--platform",
  keyId: "<id>",
  expiresAt: "--expires",
  scopes: "--scopes",
  mode: "--live, --test",
  externalUserId: "<externalUserId>",
  memberId: "--member-id",
  email: "--email",
  overlapHours: "--overlap",
};

/** Why a command failed: never a stack, and never a message that nobody foresaw, which may quote a value. */
export function inWords(error: unknown): string {
  if (!(error instanceof Error)) return "Something failed that nobody foresaw.";
  if (foreseen.some((kind) => error instanceof kind)) return error.message;
  if (error instanceof Failure) return failureInWords(error);
  const [place = "at nowhere"] = stackFramesOf(error);
  return `Something failed that nobody foresaw: ${error.name} ${place}.`;
}

/** Whether a command was asked for what its operation does not take. */
export function isWrongUsage(error: unknown): boolean {
  return error instanceof Failure && error.code === "INVALID_INPUT";
}

function failureInWords({ code, message, details: { violations = [] } }: Failure): string {
  if (code === "SERVICE_UNAVAILABLE") {
    return "The database went away in between. Look at what it has before you go on.";
  }
  if (violations.length === 0) return message;
  const lines = violations.map(({ path: [field = ""], message: words }) =>
    code === "INVALID_INPUT" ? `${options[field] ?? field}: ${words}` : words,
  );
  return [...new Set(lines)].join("\n");
}
