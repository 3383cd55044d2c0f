import { audit } from "./audit.ts";
import type { Details, NounDetails } from "./details.ts";
import { holds } from "./holds.ts";
import { keys } from "./keys.ts";
import { pauses } from "./pauses.ts";
import { proposals } from "./proposals.ts";
import { records } from "./records.ts";
import { restore } from "./restore.ts";
import { users } from "./users.ts";
import { webhooks } from "./webhooks.ts";

const platforms = {
  create: { arguments: ["name"], alone: "platformId" },
  rename: { arguments: ["platformId", "name"] },
} satisfies NounDetails<"platforms">;

export const encryptionKeys = {
  status: { requires: ["keys"] },
  rewrap: {
    description:
      "Re-encrypts the keys of all users, unused files, webhook endpoints and persons under the current version, the first of " +
      "KEY_RING, without downtime. You can stop the command: the next run continues.",
    requires: ["keys"],
    add: (sum, { rewrapped, failed, ...batch }) => ({
      ...batch,
      rewrapped: sum.rewrapped + rewrapped,
      failed: sum.failed + failed,
    }),
    report: ({ failed }) =>
      failed > 0 ? { problem: `This KEY_RING cannot decrypt ${failed} keys: they stay unchanged.` } : {},
  },
} satisfies NounDetails<"encryptionKeys">;

const persons = {
  list: { requires: ["keys"] },
  block: { requires: ["keys"] },
} satisfies NounDetails<"persons">;

type Nouns = Readonly<Record<string, Readonly<Record<string, Details>>>>;
const nouns: Nouns = {
  audit,
  encryptionKeys,
  holds,
  keys,
  pauses,
  persons,
  platforms,
  proposals,
  records,
  restore,
  users,
  webhooks,
};

/** The parts of an operation's command that replace the derived ones; empty without any. */
export function detailsOf(id: string): Details {
  const [noun = "", verb = ""] = id.split(".");
  return nouns[noun]?.[verb] ?? {};
}
