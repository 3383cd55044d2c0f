import * as z from "zod";
import { forWorker } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";

/** The maximum number of entries under one seal. */
const maxEntries = 1_000;

/** Seals the next entries of every platform. It logs each seal, so that an external log can prove the chain. */
export const sealAudit = defineOperation({
  ...forWorker,
  id: "audit.seal",
  kind: "mutation",
  summary: "Seal the audit",
  description: `Seals up to ${maxEntries} unsealed entries of every platform.`,
  input: z.object({}),
  output: z.object({ more: z.boolean() }),
  example: { input: {}, output: { more: false } },

  async run({ audit, observer }) {
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
    return { data: { more } };
  },
});
