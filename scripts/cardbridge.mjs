import { bootstrap } from "./bootstrap.mjs";
import { build } from "./build.mjs";

/* pnpm cardbridge …, its first half: installs and builds the command line. Standard output is the command's alone. */
bootstrap({ quiet: true });
build();
