import { fileURLToPath } from "node:url";

/** The folder of the built documentation. turbo builds it before the deep tests. */
export const builtSite = fileURLToPath(new URL("../../../docs/dist/", import.meta.url));
