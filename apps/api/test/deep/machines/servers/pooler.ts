import { type PgBouncer, startPgBouncer, type TestServer } from "@cardbridge/service/database/testing";
import { onTestFinished } from "vitest";
import { unusedPort } from "../../../support/unused-port.ts";

export type Pooler = Awaited<ReturnType<typeof startPooler>>;

/** Starts PgBouncer in transaction mode in front of a server. The superuser's connections do not use it. */
export async function startPooler({ urls }: TestServer) {
  const port = await unusedPort();
  const start = () =>
    startPgBouncer(Object.values(urls), [
      "listen_addr = 127.0.0.1",
      `listen_port = ${port}`,
      // As our page of PgBouncer has it: the database is tried again after a second.
      "server_login_retry = 1",
      // Roles that a test creates also sign in.
      "auth_user = postgres",
    ]);
  let current: PgBouncer | undefined = await start();
  const kill = async () => {
    await current?.stop();
    current = undefined;
  };
  onTestFinished(kill);
  const through = (url: string) => Object.assign(new URL(url), { port: String(port) }).href;
  const server: TestServer = {
    urls: {
      postgres: urls.postgres,
      cardbridge_owner: through(urls.cardbridge_owner),
      cardbridge_app: through(urls.cardbridge_app),
    },
    preparedStatements: false,
  };
  return {
    server,
    /** Ends it as `kill -9` does. */
    kill,
    async start(): Promise<void> {
      current = await start();
    },
  };
}
