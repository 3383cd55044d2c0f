import * as z from "zod";

/** A version of the key ring, with what is encrypted under it. */
export const encryptionKeyVersion = z
  .object({
    version: z.int(),
    users: z.int().meta({ description: "Users whose data keys are wrapped under it." }),
    files: z.int().meta({
      description: "Uploads that no submission uses yet: they expire within a day, or become their user's.",
    }),
    inRing: z.boolean().meta({ description: "Whether KEY_RING has it." }),
    current: z.boolean().meta({ description: "Whether new data keys are wrapped under it." }),
    removable: z.boolean().meta({ description: "Whether it may leave KEY_RING." }),
  })
  .meta({ id: "EncryptionKeyVersion" });
export type EncryptionKeyVersion = z.output<typeof encryptionKeyVersion>;

export const encryptionKeyStatus = z
  .object({ versions: z.array(encryptionKeyVersion) })
  .meta({ id: "EncryptionKeyStatus" });

/** One batch of rewrapping; `after` is the `next` of the batch before. */
export const rewrapInput = z.object({
  after: z
    .stringFormat("user-cursor", /^[0-9A-Za-z_-]{0,80}$/)
    .default("")
    .meta({ description: "The `next` of the batch before; empty for the first one." }),
  limit: z.int().min(1).max(1_000).default(100),
});

export const rewrapped = z
  .object({
    version: z.int().meta({ description: "The current version." }),
    rewrapped: z.int().meta({ description: "Users whose data key is under it now." }),
    failed: z.int().meta({ description: "Users whose data key the ring does not open: it stays as it is." }),
    next: z
      .string()
      .nullable()
      .meta({ description: "Send it as `after` to go on; null when nobody is left." }),
  })
  .meta({ id: "Rewrapped" });
export type Rewrapped = z.output<typeof rewrapped>;
