import { bootstrap, pnpm } from "./bootstrap.mjs";

/* npm run receive-webhooks, its first half: installs, and builds the client alone, so that a running service keeps its files. */
bootstrap({ quiet: true });
pnpm(["exec", "turbo", "run", "build", "--only", "--filter=@cardbridge/client", "--ui=stream"], {
  quiet: true,
});
