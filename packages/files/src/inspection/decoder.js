import { decode } from "./decode.ts";
import { usedMemoryMb, watchUsage } from "./usage.ts";

// The program of a decoder process. It is JavaScript so that its name is the same in the sources and in a bundle.
// sharp and the PDF check run in other threads, so this thread can always end the process.

const end = () => process.kill(process.pid, "SIGKILL");
/** @param {import("./decoded.ts").DecoderResponse} response @param {() => void} [sent] */
const respond = (response, sent) => process.send?.(response, undefined, undefined, sent);

// The service ended, possibly by SIGKILL. A decoder must not outlive it.
process.on("disconnect", end);
// A terminal and systemd signal the whole process group. The service finishes its uploads before it ends its decoders.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});

process.on(
  "message",
  async (/** @type {import("./decoded.ts").DecoderRequest} */ { kind, bytes, bounds }) => {
    const stop = watchUsage(bounds, (exceeded) => respond({ exceeded }, end));
    try {
      const decoded = await decode(kind, bytes);
      respond({ decoded, rssMb: usedMemoryMb() });
    } catch (error) {
      // The message may contain content of the file.
      respond({ failed: error instanceof Error ? error.name : "unknown" }, end);
    } finally {
      stop();
    }
  },
);
