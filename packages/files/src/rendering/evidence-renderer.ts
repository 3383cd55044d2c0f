import { constants } from "node:os";
import { type EvidenceRenderer, Failure, ReasonError } from "@cardbridge/domain";
import type { ProcessBounds } from "../processes/messages.ts";
import { createProcessPool } from "../processes/process-pool.ts";
import type { Rendered, RenderTask } from "./rendered.ts";

export interface EvidenceRendererOptions extends Partial<ProcessBounds> {
  /** The number of processes that render concurrently. Default: 2. */
  processes?: number;
  /** The program of a process. Default: in the folder of this module, or of the bundle that contains it. */
  program?: URL;
  /** The time limit of one page, in milliseconds, which only a hanging process reaches. Default: 2 min. */
  timeoutMs?: number;
  /** Runs `work` when the holder may use a renderer. It may wait, or reject with a Failure. Default: in order. */
  runInSlot?<T>(holder: string, work: () => Promise<T>): Promise<T>;
}

/** A renderer that owns child processes. */
export interface ClosableEvidenceRenderer extends EvidenceRenderer {
  /** Ends the render processes. */
  close(): void;
}

/** A process that has rendered photos and PDFs needs about 150 MB. */
const recycleMb = 205;

/** Creates the renderer of evidence. Child processes with limits read, decrypt and render the files. */
export function createEvidenceRenderer({
  processes = 2,
  program = new URL("./renderer.js", import.meta.url),
  cpuMs = 4_900,
  memoryMb = 430,
  timeoutMs = 120_000,
  runInSlot = (_, work) => work(),
}: EvidenceRendererOptions = {}): ClosableEvidenceRenderer {
  const bounds = { cpuMs, memoryMb };
  const pool = createProcessPool<RenderTask, Rendered>({
    processes,
    program,
    bounds,
    timeoutMs,
    recycleMb,
    // Calls of platforms come first. The lowest priority would get almost no time on a busy machine.
    priority: constants.priority.PRIORITY_BELOW_NORMAL,
  });
  return {
    async render({ file, ...page }, holder) {
      const rendered = await runInSlot(holder, async () => pool.run({ ...page, file: await file() }));
      if (rendered === null) throw unavailable("render-limit");
      if ("unreadable" in rendered) throw unavailable(rendered.unreadable);
      if ("pages" in rendered) throw noPage(rendered.pages);
      return rendered;
    },
    close: pool.close,
  };
}

function unavailable(reason: string): Failure {
  return new Failure("SERVICE_UNAVAILABLE", { retryAfterSeconds: 5, cause: new ReasonError(reason) });
}

function noPage(pages: number): Failure {
  const message = pages === 1 ? "The file has one page." : `The file has ${pages} pages.`;
  return new Failure("INVALID_INPUT", { violations: [{ path: ["page"], rule: "page-exists", message }] });
}
