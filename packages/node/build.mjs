/** What begins each file of a bundled program: `require` for the packages that need it, and the version of Node. */
export const banner = {
  js: [
    'import { createRequire as __createRequire } from "node:module";',
    "const require = __createRequire(import.meta.url);",
    "if (Number.parseInt(process.versions.node, 10) < 24) {",
    '  console.error("This program needs Node 24 or newer. This is Node " + process.versions.node + ".");',
    "  process.exit(1);",
    "}",
  ].join(" "),
};
