import { bootstrap } from "./bootstrap.mjs";

/* The first half of npm run console and npm run release: installs. The shell then executes the other half, so that signals reach it. */
bootstrap();
