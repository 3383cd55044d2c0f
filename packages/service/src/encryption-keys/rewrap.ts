import { rewrapInput, rewrapped } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";

/** Re-encrypts one batch of data keys under the current version of the key ring. */
export const rewrapEncryptionKeys = defineOperation({
  ...forOperators("ops.encryption"),
  reach: "service",
  id: "encryptionKeys.rewrap",
  kind: "write",
  summary: "Rewrap data keys",
  description:
    "Re-encrypts the next data keys of users, unused files, webhook endpoints and persons under the current version, without " +
    "downtime. Call again with `next` as `after` until `next` is null.",
  input: rewrapInput,
  rules: [],
  output: rewrapped,
  example: { input: {}, output: { version: 2, rewrapped: 4, failed: 0, next: null } },
  errors: [],
  audit: [],

  async run({ encryptionKeys }, _call, batch) {
    return { data: await encryptionKeys.rewrap(batch) };
  },
});
