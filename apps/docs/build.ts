import { rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "astro";
import { collectPages } from "./src/collect-pages.ts";
import { finishSite } from "./src/finish/site.ts";
import { writeDownloads } from "./src/output/downloads.ts";
import { writeOutputs } from "./src/output/files.ts";
import { writeContent } from "./src/source/write-content.ts";

process.env.ASTRO_TELEMETRY_DISABLED = "1";

/* Builds the site into dist: collects the pages, renders them with Astro, and adds the forms for agents and tools. */
const root = fileURLToPath(new URL(".", import.meta.url));
const site = new URL("dist/", import.meta.url);

const pages = await collectPages();
await writeContent(pages);
await rm(site, { recursive: true, force: true });
// Rendered pages of an earlier build would link stylesheets that this one does not write.
await rm(new URL("node_modules/.astro/", import.meta.url), { recursive: true, force: true });
await build({ root, logLevel: "warn" });
const scripts = await finishSite(site);
await writeOutputs(site, pages);
await writeDownloads(site);
// The service serves a build that has this file, so it is the last one.
await writeFile(new URL("csp.json", site), JSON.stringify({ scripts }));
