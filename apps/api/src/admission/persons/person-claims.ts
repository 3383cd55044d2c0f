import {
  internalPlatformId,
  type PersonPlatforms,
  platformId,
  type Role,
  role,
  visibleLine,
} from "@cardbridge/domain";
import type { JWTPayload } from "jose";

/** Which claims of a token say what about its person. */
export interface ClaimNames {
  subject: string;
  /** The claim with the roles, and the role of each of its values; null where the values are the roles' names. */
  roles: { claim: string; names: ReadonlyMap<string, readonly Role[]> | null };
  /** The claim with the ids of platforms; undefined if every person may access all platforms. */
  platforms: string | undefined;
}

const maxSubject = 255;
const maxName = 200;

/** The subject of a token; undefined if it has none that identifies a person. */
export function subjectOf(claims: JWTPayload, { subject }: ClaimNames): string | undefined {
  const value = claimOf(claims, subject);
  return typeof value === "string" && value.length > 0 && value.length <= maxSubject ? value : undefined;
}

/** The name of a token's person, for people who read it; null without one. A strange name never refuses a person. */
export function nameOf(claims: JWTPayload): string | null {
  const names = [claims.name, claims.preferred_username, claims.email];
  const lines = names.map((value) => (typeof value === "string" ? visibleLine(value, maxName) : null));
  return lines.find((line) => line !== null) ?? null;
}

/** The roles of a token, in the order of the roles. Unknown values give no role. */
export function rolesOf(claims: JWTPayload, { roles: { claim, names } }: ClaimNames): Role[] {
  const values = textsOf(claimOf(claims, claim));
  const found = new Set<string>(names ? values.flatMap((value) => names.get(value) ?? []) : values);
  return role.options.filter((name) => found.has(name));
}

/**
 * The platforms of a token: all without the claim, and none if the claim is malformed. `internal` is no platform that a
 * token can give: its keys and its audit are about all platforms.
 */
export function platformsOf(claims: JWTPayload, { platforms }: ClaimNames): PersonPlatforms {
  if (platforms === undefined) return "all";
  const value = claimOf(claims, platforms);
  if (value === undefined) return "all";
  return textsOf(value).filter((id) => id !== internalPlatformId && platformId.safeParse(id).success);
}

/** When the person authenticated. A time in the future would count as recent for too long. */
export function authenticatedAt({ auth_time: seconds }: JWTPayload, now: Date): Date | null {
  if (typeof seconds !== "number" || !(seconds >= 0 && seconds * 1_000 <= now.getTime() + 5_000)) return null;
  return new Date(seconds * 1_000);
}

/** A claim by its name, or by a path of names such as `realm_access.roles`. */
function claimOf(claims: JWTPayload, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split(".").reduce<unknown>((value, part) => {
    const isObject = typeof value === "object" && value !== null && Object.hasOwn(value, part);
    return isObject ? (value as Record<string, unknown>)[part] : undefined;
  }, claims);
}

/** The texts of a list, or a text as a list. */
function textsOf(value: unknown): string[] {
  return [value].flat().filter((item): item is string => typeof item === "string");
}
