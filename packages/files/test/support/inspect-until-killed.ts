import { readFile } from "node:fs/promises";
import { createFileInspector } from "../../src/index.ts";

// Inspects an image without bounds. It is killed before the result.
const [program = "", file = ""] = process.argv.slice(2);
const inspector = createFileInspector({ program: new URL(program), cpuMs: 1e9, timeoutMs: 1e9 });
await inspector.inspect(await readFile(file), "selfie", "plt_one");
