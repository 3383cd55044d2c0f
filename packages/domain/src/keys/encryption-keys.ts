import * as z from "zod";

/** A version of the key ring, and the counts of data encrypted under it. */
const encryptionKeyVersion = z
  .object({
    version: z.int(),
    users: z.int().meta({ description: "Users whose data keys this version encrypts." }),
    files: z.int().meta({
      description:
        "Uploads that no submission uses yet, and whose data keys this version encrypts. The data key of its user " +
        "encrypts the key of a used file.",
    }),
    webhookEndpoints: z
      .int()
      .meta({ description: "Webhook endpoints whose data keys this version encrypts." }),
    persons: z.int().meta({ description: "Persons whose data keys this version encrypts." }),
    inRing: z.boolean().meta({ description: "Whether KEY_RING contains this version." }),
    current: z.boolean().meta({ description: "Whether this version encrypts new data keys." }),
    removable: z.boolean().meta({ description: "Whether you can remove this version from KEY_RING." }),
  })
  .meta({ id: "EncryptionKeyVersion" });
export type EncryptionKeyVersion = z.output<typeof encryptionKeyVersion>;

export const encryptionKeyStatus = z
  .object({ versions: z.array(encryptionKeyVersion) })
  .meta({ id: "EncryptionKeyStatus" });

/** One batch of rewrapping; `after` is the `next` of the previous batch. */
export const rewrapInput = z.object({
  after: z
    .stringFormat("rewrap-cursor", /^(?:(?:files|persons|users|webhook_endpoints):[0-9A-Za-z_-]{1,80})?$/)
    .default("")
    .meta({ description: "The `next` of the previous batch; empty for the first batch." }),
  limit: z
    .int()
    .min(1)
    .max(1_000)
    .default(100)
    .meta({ description: "The maximum number of keys of one batch." }),
});

export const rewrapped = z
  .object({
    version: z.int().meta({ description: "The current version." }),
    rewrapped: z.int().meta({
      description:
        "The number of keys of users, unused files, webhook endpoints and persons that the current version now encrypts.",
    }),
    failed: z
      .int()
      .meta({ description: "The number of keys that the ring cannot decrypt; they stay unchanged." }),
    next: z
      .string()
      .nullable()
      .meta({ description: "The `after` of the next batch; null after the last batch." }),
  })
  .meta({ id: "Rewrapped" });
export type Rewrapped = z.output<typeof rewrapped>;
