import { createContainer } from "./container.ts";
import { ConfigurationError, readEnv } from "./env.ts";
import { findPort, ListenError, serve } from "./http/serve.ts";
import { createLog } from "./log.ts";
import { banner } from "./start/banner.ts";
import { checkDatabase } from "./start/check-database.ts";
import { accessDatabase } from "./start/database.ts";
import { accessProvider } from "./start/provider.ts";
import { say } from "./start/say.ts";
import { scenarioNotes } from "./start/scenarios.ts";
import { seedDatabase, seedSandbox } from "./start/seed.ts";

/** How long requests under way may take when the service stops: longer than the provider's deadline. */
const graceMillis = 15_000;

const closers: (() => Promise<void>)[] = [];

async function start(): Promise<void> {
  const env = readEnv();
  const address = { host: env.HOST, port: await findPort({ host: env.HOST, port: env.PORT }) };

  const log = createLog(env.LOG_LEVEL);
  const database = await accessDatabase(env, say);
  closers.push(database.stop);
  const provider = await accessProvider(env, say);
  closers.push(provider.stop);
  if (database.embedded && database.ownerUrl) await seedDatabase(database.ownerUrl);
  if (database.embedded && provider.sandbox) await seedSandbox(provider.url);
  const scenarios = provider.sandbox ? await scenarioNotes(provider.url) : "";

  const publicUrl = env.PUBLIC_URL ?? `http://${address.host}:${address.port}`;
  const container = createContainer({ env, log, database, provider, publicUrl, notes: scenarios });
  closers.push(container.close);
  await checkDatabase(container.database);
  const server = await serve(container.fetch, address);
  closers.push(async () => {
    container.drain();
    await server.close(graceMillis);
  });
  say(
    banner({
      url: server.url,
      sandbox: provider.sandbox ? provider.url : undefined,
      demo: database.embedded,
    }),
  );
}

/** Closes what was opened, last first: callers, then the provider, then the database. */
async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close().catch(() => {});
}

/** What a person has to mend is said in words; only what nobody foresaw comes with its stack. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const foreseen = error instanceof ConfigurationError || error instanceof ListenError;
  return foreseen ? error.message : (error.stack ?? error.message);
}

const started = start();

let stopping = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, async () => {
    if (stopping) process.exit(130);
    stopping = true;
    say("\nStopping: requests under way may end first. Press Ctrl-C again to cut them off.");
    await started.catch(() => {});
    await closeAll();
    process.exit(0);
  });
}

started.catch(async (error: unknown) => {
  await closeAll();
  process.stderr.write(`
${explain(error)}
`);
  process.exit(1);
});
