import { startEmbedded } from "../src/embedded/index.ts";

// A process of its own that owns a data folder until it is killed.
const [folder = ""] = process.argv.slice(2);
const { ownerUrl } = await startEmbedded({ folder });
process.stdout.write(ownerUrl);
setInterval(() => {}, 60_000);
