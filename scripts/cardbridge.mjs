import { bootstrap } from "./bootstrap.mjs";
import { build } from "./build.mjs";

/* The first half of pnpm cardbridge …: installs and builds the command line without writing to standard output. */
bootstrap({ quiet: true });
build();
