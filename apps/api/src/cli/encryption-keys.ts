import type { Rewrapped } from "@cardbridge/domain";
import { runBatches } from "./batches.ts";
import type { NounDetails } from "./details.ts";

export const encryptionKeys: NounDetails<"encryptionKeys"> = {
  status: { requires: ["keys"] },
  rewrap: {
    description:
      "Re-encrypts the keys of all users, unused files and webhook endpoints under the current version, the first of " +
      "KEY_RING, without downtime. You can stop the command: the next run continues.",
    omits: ["after", "limit"],
    requires: ["keys"],
    async run(execute, { progress }) {
      const onProgress = ({ rewrapped }: Rewrapped) => progress(`${rewrapped} keys rewrapped …`);
      const document = await runBatches(execute, {}, { add: addRewrapped, onProgress });
      const { version, rewrapped, failed } = document;
      const isDone = rewrapped === 0 && failed === 0;
      const text = `${isDone ? "Every key is" : `${rewrapped} keys are`} under version ${version} ${isDone ? "already" : "now"}.`;
      const problem = `${failed} keys are not: this KEY_RING does not open them, and they stay as they are.`;
      return { document, text, problem: failed > 0 ? problem : undefined };
    },
  },
};

export const addRewrapped = (sum: Rewrapped, batch: Rewrapped): Rewrapped => ({
  ...batch,
  rewrapped: sum.rewrapped + batch.rewrapped,
  failed: sum.failed + batch.failed,
});
