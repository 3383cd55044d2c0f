import { Failure, maxInternalKeyDays, ownerOf } from "@cardbridge/domain";
import type { Call } from "../operation/call.ts";

/**
 * When a new key expires; null for never, undefined if the caller does not say. A key of an internal app expires within
 * 90 days, and by default after 90 days, unless the command line makes it (gap G19).
 * @throws Failure INVALID_INPUT for a later expiry.
 */
export function limitedExpiry(
  call: Call,
  platformId: string,
  expiresAt: string | null | undefined,
  now: Date,
): string | null | undefined {
  if (call.kind === "operator" || ownerOf(platformId) === "platform") return expiresAt;
  const latest = now.getTime() + maxInternalKeyDays * 86_400_000;
  if (expiresAt === undefined) return new Date(latest).toISOString();
  if (expiresAt !== null && Date.parse(expiresAt) <= latest) return expiresAt;
  const message = `Send a date within ${maxInternalKeyDays} days. Only the command line makes a key of an internal app that lives longer.`;
  throw new Failure("INVALID_INPUT", {
    violations: [{ path: ["expiresAt"], rule: "internal-key-expiry", message }],
  });
}
