import type { Blobs } from "@cardbridge/domain";
import type { Env } from "../config/env.ts";
import { openBlobs } from "./open-blobs.ts";

/** Creates blobs that open on first use, because opening creates the files' folder. */
export function lazyBlobs(env: Env): Blobs {
  let opened: Promise<Blobs> | undefined;
  const open = () => {
    opened ??= openBlobs(env);
    return opened;
  };
  return {
    put: async (name, blob) => (await open()).put(name, blob),
    get: async (name) => (await open()).get(name),
    delete: async (name) => (await open()).delete(name),
  };
}
