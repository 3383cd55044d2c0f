import { audit } from "./audit.ts";
import type { Details, NounDetails } from "./details.ts";
import { encryptionKeys } from "./encryption-keys.ts";
import { keys } from "./keys.ts";
import { records } from "./records.ts";
import { users } from "./users.ts";
import { webhooks } from "./webhooks.ts";

const platforms: NounDetails<"platforms"> = {
  create: { arguments: ["name"], alone: "platformId" },
  rename: { arguments: ["platformId", "name"] },
};

const nouns: Readonly<Record<string, Readonly<Record<string, Details>>>> = {
  audit,
  encryptionKeys,
  keys,
  platforms,
  records,
  users,
  webhooks,
};

/** What the command of an operation has instead of what the declaration would give it. */
export function detailsOf(id: string): Details {
  const [noun = "", verb = ""] = id.split(".");
  return nouns[noun]?.[verb] ?? {};
}
