import { Failure, internalPlatformId, type PersonPlatforms } from "@cardbridge/domain";
import { type Call, platformsOf } from "./call.ts";
import type { Ports } from "./ports.ts";

/**
 * The data that an operation for operators is about: one platform's, which its input names directly or by a record or a
 * key; that of the platforms which the person may access; or the service itself.
 */
export type Reach = "platform" | "platforms" | "service";

type ReachPorts = Pick<Ports, "kycAdmin" | "keys" | "platforms" | "proposals" | "pauses">;

/**
 * Checks that the platforms of the input exist if it names several, and that the person may access the platform of the
 * call and that of the input. Others' data looks as if it did not exist.
 * @throws Failure SCOPE_MISSING, PLATFORM_NOT_FOUND, KYC_RECORD_NOT_FOUND, KEY_NOT_FOUND, PROPOSAL_NOT_FOUND, PAUSE_NOT_FOUND.
 */
export async function checkReach(
  ports: ReachPorts,
  call: Call,
  { reach, platform }: { reach?: Reach; platform: boolean },
  input: unknown,
): Promise<void> {
  if (reach === "platforms") return requirePlatforms(ports, input);
  const platforms = platformsOf(call);
  if (platforms === "all") return;
  if (platform && !platforms.includes(call.platformId)) throw new Failure("PLATFORM_NOT_FOUND");
  if (reach === undefined) return;
  if (reach === "service") throw allPlatformsRequired("The person has access to some platforms only.");
  const { platformId, kycRecordId, keyId, proposalId, pauseId } = Object(input) as Record<string, unknown>;
  if (typeof platformId === "string") {
    if (!platforms.includes(platformId)) throw new Failure("PLATFORM_NOT_FOUND");
  } else if (typeof kycRecordId === "string") {
    const found = await ports.kycAdmin.platformOf(kycRecordId);
    if (!found || !platforms.includes(found)) throw new Failure("KYC_RECORD_NOT_FOUND");
  } else if (typeof keyId === "string") {
    const key = await ports.keys.show(keyId);
    if (!key || !platforms.includes(key.platformId)) throw new Failure("KEY_NOT_FOUND");
  } else if (typeof proposalId === "string") {
    const found = await ports.proposals.platformOf(proposalId);
    if (!found || !platforms.includes(found)) throw new Failure("PROPOSAL_NOT_FOUND");
  } else if (typeof pauseId === "string") {
    const found = await ports.pauses.platformOf(pauseId);
    if (!found || !platforms.includes(found)) throw new Failure("PAUSE_NOT_FOUND");
  } else {
    throw allPlatformsRequired("Send the platformId of a platform that the person may access.");
  }
}

/** A platform that does not exist is a mistake of the caller, not a platform without data. */
async function requirePlatforms({ platforms }: ReachPorts, input: unknown): Promise<void> {
  const named = platformIdsOf(Object(input)) ?? [];
  const ofPlatforms = named.filter((id) => id !== internalPlatformId);
  const found = await Promise.all(ofPlatforms.map((id) => platforms.find(id)));
  if (found.includes(null)) throw new Failure("PLATFORM_NOT_FOUND");
}

/** The platforms that an input names, by either of its fields; undefined if it names none. */
export function platformIdsOf(input: {
  platformId?: string | undefined;
  platformIds?: readonly string[] | undefined;
}): readonly string[] | undefined {
  const { platformId, platformIds } = input;
  return platformId === undefined ? platformIds : [...(platformIds ?? []), platformId];
}

/**
 * The platforms of a call over several platforms: the named ones, or all that the caller may access.
 * @throws Failure PLATFORM_NOT_FOUND if the person may not access a named platform.
 */
export function namedPlatforms(call: Call, named: readonly string[] | undefined): PersonPlatforms {
  const platforms = platformsOf(call);
  if (named === undefined) return platforms;
  if (platforms !== "all" && named.some((platformId) => !platforms.includes(platformId))) {
    throw new Failure("PLATFORM_NOT_FOUND");
  }
  return [...new Set(named)];
}

function allPlatformsRequired(message: string): Failure {
  return new Failure("SCOPE_MISSING", { violations: [{ path: [], rule: "platforms", message }] });
}
