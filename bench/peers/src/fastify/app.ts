import helmet from "@fastify/helmet";
import fastify from "fastify";
import { bodyLimit, keepAliveTimeout } from "../common/env.js";
import { helmetOptions, newRequestId } from "../common/http.js";
import { createPool } from "../common/pg/pool.js";
import { callers } from "./callers.js";
import { cards } from "./cards.js";
import { handleErrors } from "./errors.js";
import { kyc } from "./kyc.js";
import { OneLine } from "./log.js";
import { createProvider } from "./provider.js";
import { compileValidator } from "./validators.js";

/** The service on Fastify: each part is a plugin. */
export function buildApp(schema: string) {
  const app = fastify({
    logger: { level: "info", base: null },
    logController: new OneLine(),
    genReqId: newRequestId,
    bodyLimit,
    keepAliveTimeout,
  });
  const parts = { pool: createPool(schema), provider: createProvider() };

  app.removeContentTypeParser("text/plain");
  app.setValidatorCompiler(compileValidator);
  app.addHook("onRequest", async (request, reply) => {
    reply.headers({ "x-request-id": request.id, "cache-control": "no-store" });
  });
  handleErrors(app);
  app.register(helmet, helmetOptions);
  callers(app, parts.pool);
  app.register(cards, { ...parts, prefix: "/openapi/v1/cards" });
  app.register(kyc, { ...parts, prefix: "/openapi/v1/users" });
  return app;
}
