import { Failure, type IdentifyPerson, type Person } from "@cardbridge/domain";
import { createIssuerKeys, fetchJson } from "./issuer-keys.ts";
import {
  authenticatedAt,
  type ClaimNames,
  createTokenVerifier,
  invalidPerson,
  nameOf,
  platformsOf,
  rolesOf,
  subjectOf,
} from "./person-token.ts";

/**
 * Returns the person of an access token.
 * @throws Failure PERSON_INVALID with the reason, PERSON_BLOCKED, SERVICE_UNAVAILABLE.
 */
export type VerifyPerson = (token: string) => Promise<Person>;

/** The issuer of persons' tokens, and what their claims mean. */
export interface PersonSettings {
  issuer: string;
  audience: string;
  claimNames: ClaimNames;
}

interface Options extends PersonSettings {
  /** Receives the reason of each failed fetch of the issuer's keys. */
  onFailure(reason: string): void;
  /** Creates the id of a new person. */
  newPersonId(): string;
}

/**
 * Creates the verification of persons, for each way to identify them; all share the keys of the issuer. Only a person
 * with a valid token and a role is stored.
 */
export function createPersonVerification(options: Options): (identify: IdentifyPerson) => VerifyPerson {
  const { issuer, audience, claimNames, onFailure, newPersonId } = options;
  const findKey = createIssuerKeys({ issuer, fetchJson, onFailure });
  const verifyToken = createTokenVerifier({ issuer, audience, findKey });
  return (identify) => async (token) => {
    const claims = await verifyToken(token);
    const subject = subjectOf(claims, claimNames);
    if (subject === undefined) throw invalidPerson("token-subject");
    const roles = rolesOf(claims, claimNames);
    if (roles.length === 0) throw invalidPerson("token-roles");
    const seen = { issuer, subject, name: nameOf(claims), roles, newPersonId: newPersonId() };
    const { personId, blockedAt } = await identify(seen);
    if (blockedAt !== null) throw new Failure("PERSON_BLOCKED");
    return {
      personId,
      roles,
      platforms: platformsOf(claims, claimNames),
      authenticatedAt: authenticatedAt(claims, new Date()),
      expiresAt: new Date(claims.exp * 1_000),
    };
  };
}
