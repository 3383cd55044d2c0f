import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { buildPrograms } from "./build/programs.mjs";

const dist = fileURLToPath(new URL("dist", import.meta.url));

await rm(dist, { recursive: true, force: true });
await buildPrograms(dist, { main: "src/main.ts", migrate: "src/migrate.ts", cli: "src/cli.ts" });
