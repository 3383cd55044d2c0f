import { type ErrorCode, Failure, internalPlatformId, type PersonPlatforms } from "@cardbridge/domain";
import { eq } from "drizzle-orm";
import { platforms } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { type Call, platformsOf } from "./call.ts";
import { type PlatformSubject, platformOf } from "./platform-of.ts";
import type { Ports } from "./ports.ts";

/**
 * The data that an operation for operators is about: one platform's, which its input names directly or by a record, a
 * key, a proposal or a pause; a platform or the internal apps, as the owner of keys, a name and an audit; that of the
 * platforms which the person may access; or the service itself. What happens to an owner is audited under the caller's
 * platform.
 */
export type Reach = "platform" | "owner" | "platforms" | "service";

type ReachPorts = Pick<Ports, "database" | "cache">;

/** The subjects that an input names by their ids: what their platforms are found by, and the error without one. */
const subjects = [
  { field: "kycRecordId", of: "record", error: "KYC_RECORD_NOT_FOUND" },
  { field: "keyId", of: "api_key", error: "KEY_NOT_FOUND" },
  { field: "proposalId", of: "proposal", error: "PROPOSAL_NOT_FOUND" },
  { field: "pauseId", of: "pause", error: "PAUSE_NOT_FOUND" },
] as const satisfies { field: string; of: PlatformSubject; error: ErrorCode }[];

/**
 * The platform of the data that an operation is about. It checks that the person may access this platform and the one
 * of the call, and that platforms which the input names exist. Others' data looks as if it did not exist.
 * @throws Failure SCOPE_MISSING, PLATFORM_NOT_FOUND, KYC_RECORD_NOT_FOUND, KEY_NOT_FOUND, PROPOSAL_NOT_FOUND, PAUSE_NOT_FOUND.
 */
export async function reachedPlatform(
  ports: ReachPorts,
  call: Call,
  { reach, platform }: { reach?: Reach; platform: boolean },
  input: unknown,
): Promise<string> {
  const named = Object(input) as Record<string, unknown>;
  const allowed = platformsOf(call);
  const isAllowed = (platformId: string) => allowed === "all" || allowed.includes(platformId);
  if (reach === "platforms") {
    await requirePlatforms(ports, named);
    return call.platformId;
  }
  if (platform && !isAllowed(call.platformId)) throw new Failure("PLATFORM_NOT_FOUND");
  if (reach === undefined) return call.platformId;
  if (reach === "service") {
    if (allowed === "all") return call.platformId;
    throw allPlatformsRequired("The person has access to some platforms only.");
  }
  const { platformId } = named;
  if (typeof platformId === "string") {
    const isKnown = isAllowed(platformId) && (await isPlatform(ports, platformId, reach));
    if (!isKnown) throw new Failure("PLATFORM_NOT_FOUND");
    return platformId;
  }
  const subject = subjects.find(({ field }) => typeof named[field] === "string");
  if (subject) {
    const found = await platformOf(ports.database, subject.of, String(named[subject.field]));
    if (found === null || !isAllowed(found)) throw new Failure(subject.error);
    return found;
  }
  if (allowed === "all") return call.platformId;
  throw allPlatformsRequired("Send the platformId of a platform that the person may access.");
}

async function isPlatform(ports: ReachPorts, platformId: string, reach: Reach): Promise<boolean> {
  if (platformId === internalPlatformId) return reach === "owner";
  return (await findPlatform(ports, platformId)) !== null;
}

/** A platform that does not exist is a mistake of the caller, not a platform without data. */
async function requirePlatforms(ports: ReachPorts, input: object): Promise<void> {
  const named = platformIdsOf(input) ?? [];
  const ofPlatforms = named.filter((id) => id !== internalPlatformId);
  const found = await Promise.all(ofPlatforms.map((id) => findPlatform(ports, id)));
  if (found.includes(null)) throw new Failure("PLATFORM_NOT_FOUND");
}

/**
 * Finds a platform, which is not that of the internal apps; null if it does not exist. A cached result is returned
 * without a promise.
 */
export function findPlatform(
  { database, cache }: ReachPorts,
  platformId: string,
): { platformId: string } | null | Promise<{ platformId: string } | null> {
  if (platformId === internalPlatformId) return null;
  return cache.find(`platform ${platformId}`, () =>
    database.asPlatform<{ platformId: string } | null>(platformId, async (tx) => {
      const found = tx
        .select({ platformId: platforms.id })
        .from(platforms)
        .where(eq(platforms.id, platformId));
      return pipelineCommit([found], ([rows]) => rows[0] ?? null);
    }),
  );
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
