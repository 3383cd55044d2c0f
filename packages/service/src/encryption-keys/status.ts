import { type EncryptionKeyVersion, encryptionKeyStatus } from "@cardbridge/domain";
import * as z from "zod";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";

/** Lists the versions of the key ring and the data encrypted under each. */
export const encryptionKeysStatus = defineOperation({
  ...forOperators("ops.encryption"),
  reach: "service",
  id: "encryptionKeys.status",
  kind: "read",
  summary: "Show the encryption keys",
  description:
    "Lists the versions of KEY_RING, the data encrypted under each, and whether you can remove it.",
  input: z.object({}),
  rules: [],
  output: encryptionKeyStatus,
  example: {
    input: {},
    output: {
      versions: [
        {
          version: 1,
          users: 4,
          files: 0,
          webhookEndpoints: 0,
          persons: 0,
          inRing: true,
          current: true,
          removable: false,
        },
      ],
    },
  },
  errors: [],
  audit: [],

  async run({ encryptionKeys }) {
    const versions = await encryptionKeys.status();
    return {
      data: { versions: versions.map((version) => ({ ...version, removable: isRemovable(version) })) },
    };
  },
});

function isRemovable(version: Omit<EncryptionKeyVersion, "removable">): boolean {
  const { users, files, webhookEndpoints, persons, inRing, current } = version;
  return inRing && !current && users + files + webhookEndpoints + persons === 0;
}
