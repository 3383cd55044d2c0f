import type { Ports } from "../operations/index.ts";

/** How many entries one seal covers at the most. */
const mostEntries = 1_000;

/**
 * One look: seals the next entries of every platform that has unsealed ones, and tells of each seal, so that
 * a log which is kept elsewhere knows where the chain has come to. Never throws.
 */
export async function sealAudit({
  audit,
  observer,
}: Pick<Ports, "audit" | "observer">): Promise<"more" | "done"> {
  const platforms = await audit.unsealed().catch(() => {
    observer.observe("audit_not_sealed");
    return [];
  });
  let left: "more" | "done" = "done";
  for (const { platformId } of platforms) {
    const seal = await audit.seal(platformId, mostEntries).catch(() => {
      observer.observe("audit_not_sealed", { platformId });
      return null;
    });
    if (!seal) continue;
    observer.observe("audit_sealed", { platformId, seal: String(seal.number), hash: seal.hash });
    if (seal.count === mostEntries) left = "more";
  }
  return left;
}
