import { Failure, type Platforms, platformId } from "@cardbridge/domain";
import type { Call } from "@cardbridge/service";
import { andThen, type MaybePromise } from "./and-then.ts";

/**
 * The platform of a call whose header or input names one. The key of an internal app may name every platform that its
 * person may access; a platform's key allows only its own. Others' platforms look as if they did not exist.
 * @throws Failure PLATFORM_FORBIDDEN, PLATFORM_NOT_FOUND.
 */
export function platformOf(
  platforms: Pick<Platforms, "find">,
  { kind, platformId: own, person }: Pick<Call, "kind" | "platformId" | "person">,
  named: string | undefined,
): MaybePromise<string> {
  if (named === undefined || named === own) return own;
  if (kind !== "internal") throw new Failure("PLATFORM_FORBIDDEN");
  const allowed = person === undefined || person.platforms === "all" || person.platforms.includes(named);
  const known = allowed && platformId.safeParse(named).success ? platforms.find(named) : null;
  return andThen(known, (found) => {
    if (!found) throw new Failure("PLATFORM_NOT_FOUND");
    return named;
  });
}
