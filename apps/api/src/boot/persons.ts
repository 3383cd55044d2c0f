import type { Observer } from "@cardbridge/domain";
import type { Ids, Ports } from "@cardbridge/service";
import { identifyPersons, type LookupCache } from "@cardbridge/service/database";
import { fetchJson } from "../admission/persons/fetch-json.ts";
import { createIssuerKeys } from "../admission/persons/issuer-keys.ts";
import type { ClaimNames } from "../admission/persons/person-claims.ts";
import { createTokenVerifier } from "../admission/persons/person-token.ts";
import { createVerifyPerson, type VerifyPerson } from "../admission/persons/verify-person.ts";
import type { Env } from "../config/env.ts";

/** The issuer of persons' tokens, and what their claims mean. */
export interface PersonSettings {
  issuer: string;
  audience: string;
  claimNames: ClaimNames;
}

/** The issuer in the environment; undefined without one. */
export function personSettings(env: Env): PersonSettings | undefined {
  const { PERSONS_ISSUER: issuer, PERSONS_AUDIENCE: audience, PERSONS_ROLES: roles } = env;
  if (issuer === undefined || audience === undefined || roles === undefined) return undefined;
  const claimNames = { subject: env.PERSONS_SUBJECT, roles, platforms: env.PERSONS_PLATFORMS };
  return { issuer, audience, claimNames };
}

interface Parts {
  ports: Pick<Ports, "database" | "personalDataKeys"> & { ids: Pick<Ids, "personId"> };
  observer: Observer;
}

/** Creates the verification of persons for a cache of look-ups. All share the keys of the issuer. */
export function personVerification(
  { issuer, audience, claimNames }: PersonSettings,
  { ports, observer }: Parts,
): (cache: LookupCache) => VerifyPerson {
  const onFailure = (reason: string) => observer.observe("issuer_keys_failed", { reason });
  const findKey = createIssuerKeys({ issuer, fetchJson, onFailure });
  const verifyToken = createTokenVerifier({ issuer, audience, findKey });
  return (cache) =>
    createVerifyPerson({
      issuer,
      claimNames,
      verifyToken,
      identify: identifyPersons({ ...ports, cache }),
      newPersonId: ports.ids.personId,
    });
}
