import type { Ports } from "../operation/ports.ts";

/** The maximum number of entries under one seal. */
const maxEntries = 1_000;

/**
 * Seals the next entries of every platform. It logs each seal, so that an external log can prove the chain.
 * @returns whether there are more entries to seal
 */
export async function sealAudit({ audit, observer }: Pick<Ports, "audit" | "observer">): Promise<boolean> {
  const platforms = await audit.unsealed().catch(() => {
    observer.observe("audit_not_sealed");
    return [];
  });
  let more = false;
  for (const { platformId } of platforms) {
    const seal = await audit.seal(platformId, maxEntries).catch(() => {
      observer.observe("audit_not_sealed", { platformId });
      return null;
    });
    if (!seal) continue;
    observer.observe("audit_sealed", { platformId, seal: String(seal.number), hash: seal.hash });
    more ||= seal.count === maxEntries;
  }
  return more;
}
