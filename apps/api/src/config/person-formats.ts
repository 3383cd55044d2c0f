import { type Role, role } from "@cardbridge/domain";
import { isLoopback } from "@cardbridge/node";
import * as z from "zod";

/** The issuer as its tokens name it. Its keys come over TLS, or from this machine. */
export const issuerUrl = z.string().refine((text) => {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash, username } = new URL(text);
  if (search || hash || username) return false;
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}, "Set a URL that starts with https://, or http:// on a loopback address, without a query.");

/** The name of a claim, or a path such as realm_access.roles. */
export const claimName = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/, "Set the name of a claim: visible ASCII characters without spaces.");

const help = `Set a claim whose values are ${role.options.join(", ")}, or map its values, such as groups:card-support=support,card-admins=administrator.`;

/** A claim, and the role of each of its values: `groups:card-support=support`. Null: the values are the roles' names. */
export const rolesClaim = z.string().transform((text, context) => {
  // A claim can be a URL, which has a colon of its own.
  const colon = text.search(/:(?!\/\/)/);
  const claim = colon < 0 ? text : text.slice(0, colon);
  const names = colon < 0 ? null : parseMapping(text.slice(colon + 1));
  if (!claimName.safeParse(claim).success || claim.includes("=") || names === undefined) {
    context.addIssue(help);
    return z.NEVER;
  }
  return { claim, names };
});

/** The roles of each value; undefined if the text is malformed. */
function parseMapping(text: string): ReadonlyMap<string, readonly Role[]> | undefined {
  const names = new Map<string, Role[]>();
  for (const pair of text.split(",")) {
    const [, value = "", name] = /^(.+)=([a-z]+)$/.exec(pair.trim()) ?? [];
    const parsed = role.safeParse(name);
    if (!parsed.success) return undefined;
    names.set(value, [...(names.get(value) ?? []), parsed.data]);
  }
  return names;
}
