import { env } from "../common/env.js";
import { createTables } from "../common/tables.js";
import { buildApp } from "./app.js";

const schema = "peer_fastify";

await createTables(schema);
const address = await buildApp(schema).listen({ port: env.port, host: "127.0.0.1" });
process.stdout.write(`listening ${address}\n`);
