import { createServer } from "node:http";
import { Pool } from "undici";

/* The wire: node:http and undici hand the provider's bytes on, and check nothing. */
const pool = new Pool(process.env.PROVIDER_URL, { connections: 64 });
const path = "/v1/cards?userReference=usr_1&page=1&pageSize=20&sort=-createdAt%2CcardId";

const server = createServer(async (_request, response) => {
  const { body } = await pool.request({ path, method: "GET" });
  const bytes = await body.arrayBuffer();
  response.writeHead(200, { "content-type": "application/json" }).end(Buffer.from(bytes));
});
server.listen(0, "127.0.0.1", () =>
  process.stdout.write(`listening http://127.0.0.1:${server.address().port}\n`),
);
