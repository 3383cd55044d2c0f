import * as z from "zod";
import { personName } from "../identity/named-person.ts";
import { personId } from "../identity/person-id.ts";
import { moment } from "../input/formats.ts";
import { operatorScope } from "../keys/scopes.ts";
import { platformId } from "../platforms/platform.ts";
import { role } from "./role.ts";

/** The platforms whose data a person may access. */
export type PersonPlatforms = readonly string[] | "all";

/** The person of an actor, which is `<personId>/<keyId>` then; null for another actor. */
export function personOf(actor: string): string | null {
  return /^(per_[^/]*)\//.exec(actor)?.[1] ?? null;
}

/** The verified person behind a call of an internal app (gap G37). */
export interface Person {
  personId: string;
  roles: readonly z.output<typeof role>[];
  platforms: PersonPlatforms;
  /** When the person last authenticated with the issuer; null if the token does not say it. */
  authenticatedAt: Date | null;
  /** When the person's token expires. */
  expiresAt: Date;
}

/** The header in which an internal app forwards the person's access token. */
export const personHeader = "X-Cardbridge-Person";

/** How long ago the person may have signed in, at most, for an operation that needs a recent sign-in. */
export const maxSignInAgeSeconds = 900;

/** A person as operators see them. */
export const personFacts = z
  .object({
    personId,
    name: personName,
    roles: z.array(role).meta({ description: "The roles in the person's last token." }),
    firstSeenAt: moment,
    lastSeenAt: moment.meta({ description: "Accurate to the hour." }),
    blockedAt: moment.nullable(),
  })
  .meta({ id: "PersonFacts" });
export type PersonFacts = z.output<typeof personFacts>;

/** A person who can take over a record. */
export const colleague = personFacts
  .pick({ personId: true, name: true, roles: true })
  .meta({ id: "Colleague" });

/** The caller, for an app that shows only what the person may do. */
export const currentPerson = z
  .object({
    personId,
    name: personName,
    roles: z.array(role),
    scopes: z.array(operatorScope).meta({ description: "What both the key and the person's roles allow." }),
    platforms: z
      .array(z.object({ platformId, name: z.string() }))
      .max(200)
      .meta({ description: "The platforms that the person may access, at most 200." }),
    allPlatforms: z.boolean(),
    signInRequiredAt: moment
      .nullable()
      .meta({ description: "When operations that need a recent sign-in require another one; null if now." }),
    expiresAt: moment,
  })
  .meta({ id: "CurrentPerson" });
export type CurrentPerson = z.output<typeof currentPerson>;
