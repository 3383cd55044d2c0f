import type { FilePurpose } from "@cardbridge/domain";
import { afterAll, inject } from "vitest";
import { createFileInspector, type FileInspectorOptions } from "../../src/index.ts";

/** Creates an inspector with the bundled programs, which start faster. Closes it after the tests of the file. */
export function createTestInspector(options: FileInspectorOptions = {}) {
  const inspector = createFileInspector({ program: new URL(inject("decoder")), ...options });
  afterAll(() => inspector.close());
  return {
    ...inspector,
    inspect: (bytes: Uint8Array, purpose: FilePurpose, platformId = "plt_one") =>
      inspector.inspect(bytes, purpose, platformId),
  };
}
