import type { UserIdentifier } from "@cardbridge/domain";
import { blindIndex } from "./sealing/blind-index.ts";
import type { Keys } from "./sealing/keys.ts";

interface ByName<T> {
  execute(values: Record<string, unknown>): T;
}

/** Runs the statement for whichever of a user's two names is given; both take its blind index as `name` (gap G17). */
export function byName<T>(
  keys: Keys,
  platformId: string,
  identifier: UserIdentifier,
  { byEmail, byMemberId }: { byEmail: ByName<T>; byMemberId: ByName<T> },
): T {
  const statement = "email" in identifier ? byEmail : byMemberId;
  return statement.execute({ platformId, name: blindIndex(keys.indexes, platformId, identifier) });
}
