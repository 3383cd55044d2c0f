import { startEmbedded } from "../../src/index.ts";

// Owns a data folder until this process is killed.
const [folder = ""] = process.argv.slice(2);
const { ownerUrl } = await startEmbedded({ folder });
process.stdout.write(ownerUrl);
setInterval(() => {}, 60_000);
