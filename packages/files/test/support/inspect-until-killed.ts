import { readFile } from "node:fs/promises";
import { createFileInspector } from "../../src/index.ts";

// Inspects an image and then runs until it is killed.
const [program = "", file = ""] = process.argv.slice(2);
setInterval(() => {}, 60_000);
const inspector = createFileInspector({ program: new URL(program) });
await inspector.inspect(await readFile(file), "selfie", "plt_one");
