import { bootstrap } from "./bootstrap.mjs";

/* The first half of npm run console: installs. The shell then executes the console, so that signals reach it. */
bootstrap();
