import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const entry = createRequire(import.meta.url).resolve("@scalar/api-reference");

/** The docs page's script in its package. The build copies it. */
export const docsScript = new URL("./browser/standalone.js", pathToFileURL(entry));

/** The project, with CHANGELOG.md and docs/guides. The build copies them. */
export const docsFolder = new URL("../../../../", import.meta.url);
