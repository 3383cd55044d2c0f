import {
  Failure,
  internalPlatformId,
  type PersonPlatforms,
  personHeader,
  platformId,
  type Role,
  role,
  visibleLine,
} from "@cardbridge/domain";
import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";

/** The asymmetric algorithms. A symmetric one would make each verifier an issuer. */
const algorithms = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
];
const maxBytes = 8_192;
const maxAgeSeconds = 3_600;
/** The accepted difference of clocks. */
const toleranceSeconds = 5;

/** Why a token is refused, by the rule in `errors`. The texts never quote the token. */
const reasons = {
  "token-size": `Send a token of at most ${maxBytes} bytes.`,
  "token-malformed": "Send an access token in the form of a JWT.",
  "token-algorithm": "The token is not signed with an asymmetric algorithm that the service accepts.",
  "token-key": "The issuer has no key that fits the token.",
  "token-signature": "The signature of the token is not valid.",
  "token-issuer": "The token is not from the configured issuer.",
  "token-audience": "The token is for another audience: send an access token for this service.",
  "token-expired": "The token is expired.",
  "token-age": "The token is older than an hour, or has no time of issue.",
  "token-not-yet-valid": "The token is not valid yet.",
  "token-subject": "The token does not name its person.",
  "token-roles": "The token has no role of this service.",
  "key-without-persons": `Omit the header ${personHeader}: the key does not have the scope ops.persons.`,
  "persons-not-configured": "The service has no issuer of persons' tokens: set PERSONS_ISSUER.",
} as const;

/** @returns Failure PERSON_INVALID with the reason. */
export function invalidPerson(rule: keyof typeof reasons): Failure {
  return new Failure("PERSON_INVALID", {
    violations: [{ path: [personHeader], rule, message: reasons[rule] }],
  });
}

interface Options {
  issuer: string;
  audience: string;
  findKey: JWTVerifyGetKey;
  /** The time of the token's claims. */
  now?: (() => Date) | undefined;
}

/** The claims of a valid token. `exp` and `iat` are in seconds. */
export type TokenClaims = JWTPayload & { exp: number; iat: number };

/**
 * Creates the verification of access tokens (RFC 9068, and JWTs of issuers that name no type).
 * @throws Failure PERSON_INVALID with the reason; SERVICE_UNAVAILABLE without keys of the issuer.
 */
export function createTokenVerifier({ issuer, audience, findKey, now = () => new Date() }: Options) {
  return async (token: string): Promise<TokenClaims> => {
    if (token.length > maxBytes) throw invalidPerson("token-size");
    try {
      const { payload, protectedHeader } = await jwtVerify(token, findKey, {
        issuer,
        audience,
        algorithms,
        requiredClaims: ["exp", "iat"],
        maxTokenAge: maxAgeSeconds,
        clockTolerance: toleranceSeconds,
        currentDate: now(),
      });
      const { typ = "JWT" } = protectedHeader;
      if (!/^(?:application\/)?(?:at\+)?jwt$/i.test(typ)) throw invalidPerson("token-malformed");
      const { iat = 0, exp = 0 } = payload;
      return { ...payload, iat, exp: Math.min(exp, iat + maxAgeSeconds) };
    } catch (error) {
      throw error instanceof Failure ? error : invalidPerson(ruleOf(error));
    }
  };
}

function ruleOf(error: unknown): keyof typeof reasons {
  if (error instanceof errors.JWTExpired) return error.claim === "iat" ? "token-age" : "token-expired";
  if (error instanceof errors.JWTClaimValidationFailed) return ruleOfClaim[error.claim] ?? "token-malformed";
  if (error instanceof errors.JOSEAlgNotAllowed) return "token-algorithm";
  if (error instanceof errors.JWSSignatureVerificationFailed) return "token-signature";
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) {
    return "token-key";
  }
  // Also a key of the issuer that cannot be used, such as a short RSA key.
  return error instanceof errors.JOSEError ? "token-malformed" : "token-key";
}

const ruleOfClaim: Record<string, keyof typeof reasons> = {
  iss: "token-issuer",
  aud: "token-audience",
  exp: "token-expired",
  iat: "token-age",
  nbf: "token-not-yet-valid",
};

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
