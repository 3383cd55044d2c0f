import { bootstrap, pnpm } from "./bootstrap.mjs";

/*
 * The first half of npm run receive-webhooks: installs, and builds only the client, so that the files of a running
 * service do not change.
 */
bootstrap({ quiet: true });
pnpm(["exec", "turbo", "run", "build", "--only", "--filter=@cardbridge/client", "--ui=stream"], {
  quiet: true,
});
