import { reasonOf } from "@cardbridge/domain";
import type { Ports } from "../operation/ports.ts";

/** The maximum number of entries under one checkpoint. */
const maxEntries = 1_000;

/**
 * Creates a checkpoint over the next entries of every platform. It logs each checkpoint, so that an external log can
 * prove the chain and, by its root, single entries, and reports what the command line did.
 * @returns whether more entries are waiting for a checkpoint
 */
export async function checkpointAudit({
  audit,
  observer,
}: Pick<Ports, "audit" | "observer">): Promise<boolean> {
  const platforms = await audit.pending().catch((error: unknown) => {
    observer.observe("audit_checkpoint_failed", { reason: reasonOf(error) });
    return [];
  });
  let more = false;
  for (const { platformId } of platforms) {
    const checkpoint = await audit.checkpoint(platformId, maxEntries).catch((error: unknown) => {
      observer.observe("audit_checkpoint_failed", { platformId, reason: reasonOf(error) });
      return null;
    });
    if (!checkpoint) continue;
    observer.observe("audit_checkpoint_created", {
      platformId,
      checkpoint: String(checkpoint.number),
      hash: checkpoint.hash,
      root: checkpoint.root,
    });
    for (const operation of checkpoint.commandLine) {
      observer.observe("command_line_act", { platformId, operation });
    }
    more ||= checkpoint.count === maxEntries;
  }
  return more;
}
