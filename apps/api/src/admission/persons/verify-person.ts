import { Failure, type IdentifyPerson, type Person } from "@cardbridge/domain";
import {
  authenticatedAt,
  type ClaimNames,
  nameOf,
  platformsOf,
  rolesOf,
  subjectOf,
} from "./person-claims.ts";
import { invalidPerson, type TokenClaims } from "./person-token.ts";

/**
 * Returns the person of an access token.
 * @throws Failure PERSON_INVALID with the reason, PERSON_BLOCKED, SERVICE_UNAVAILABLE.
 */
export type VerifyPerson = (token: string) => Promise<Person>;

interface Options {
  issuer: string;
  claimNames: ClaimNames;
  verifyToken(token: string): Promise<TokenClaims>;
  identify: IdentifyPerson;
  /** Creates the id of a new person. */
  newPersonId(): string;
  now?: (() => Date) | undefined;
}

/** Creates the verification of persons. Only a person with a valid token and a role is stored. */
export function createVerifyPerson(options: Options): VerifyPerson {
  const { issuer, claimNames, verifyToken, identify, newPersonId, now = () => new Date() } = options;
  return async (token) => {
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
      authenticatedAt: authenticatedAt(claims, now()),
      expiresAt: new Date(claims.exp * 1_000),
    };
  };
}
