import { fileURLToPath } from "node:url";
import { createViteServer } from "vitest/node";

// A process of its own that owns a data folder until it is killed. Node itself runs no TypeScript here.
const vite = await createViteServer({
  configFile: false,
  logLevel: "silent",
  root: fileURLToPath(new URL("..", import.meta.url)),
  server: { middlewareMode: true, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
});
const { startEmbedded } = await vite.ssrLoadModule("/src/embedded/index.ts");
const { ownerUrl } = await startEmbedded({ folder: process.argv[2] });
process.stdout.write(ownerUrl);
setInterval(() => {}, 60_000);
