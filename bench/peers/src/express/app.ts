import express from "express";
import helmet from "helmet";
import { pinoHttp } from "pino-http";
import { bodyLimit } from "../common/env.js";
import { helmetOptions, requestLog } from "../common/http.js";
import { createPool } from "../common/pg/pool.js";
import { cards } from "./cards.js";
import { errorHandler, notFound } from "./errors.js";
import { kyc } from "./kyc.js";
import { createProvider } from "./provider.js";

/** The service on Express: each part is a middleware. */
export function buildApp(schema: string) {
  const pool = createPool(schema);
  const provider = createProvider();
  const app = express();
  // What is never stored needs no hash.
  app.set("etag", false);
  app.use(pinoHttp(requestLog));
  app.use(helmet(helmetOptions));
  app.use((_request, response, next) => {
    response.set("cache-control", "no-store");
    next();
  });
  app.use("/openapi/v1/cards", cards(pool, provider));
  app.use("/openapi/v1/users", kyc(pool, provider, express.json({ limit: bodyLimit })));
  app.use(notFound);
  app.use(errorHandler);
  return app;
}
