import type { AddressInfo } from "node:net";
import { env, keepAliveTimeout } from "../common/env.js";
import { createTables } from "../common/tables.js";
import { buildApp } from "./app.js";

const schema = "peer_express";

await createTables(schema);
const server = buildApp(schema).listen(env.port, "127.0.0.1", () => {
  process.stdout.write(`listening http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
server.keepAliveTimeout = keepAliveTimeout;
