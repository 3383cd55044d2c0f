import { ExternalFileError, type ExternalFiles } from "@cardbridge/domain";
import type { GuardedClient } from "../guarded-client.ts";

interface ExternalFilesOptions {
  client: Pick<GuardedClient, "request">;
  maxBytes: number;
  /** The time to read one file, in milliseconds. */
  deadlineMs: number;
}

/** Creates a reader of files at caller-supplied URLs. Only a complete response with status 200 is a file. */
export function createExternalFiles({ client, maxBytes, deadlineMs }: ExternalFilesOptions): ExternalFiles {
  return {
    async read(url) {
      const limits = { maxResponseBytes: maxBytes, whole: true, deadlineMs };
      const result = await client.request({ method: "GET", url, ...limits });
      if (result.kind !== "response") throw new ExternalFileError(result.reason);
      const { status, broken, bytes, contentType } = result;
      if (status !== 200) throw new ExternalFileError(`status-${status}`);
      if (broken) throw new ExternalFileError(broken);
      return new Blob([new Uint8Array(bytes)], { type: contentType ?? "" });
    },
  };
}
