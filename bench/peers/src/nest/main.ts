import "reflect-metadata";
import { NestFactory } from "@nestjs/core";
import type { NestExpressApplication } from "@nestjs/platform-express";
import type { NextFunction, Request, Response } from "express";
import helmet from "helmet";
import { Logger } from "nestjs-pino";
import { bodyLimit, env, keepAliveTimeout } from "../common/env.js";
import { helmetOptions } from "../common/http.js";
import { createTables } from "../common/tables.js";
import { AppModule } from "./app.module.js";
import { schema } from "./database/entities.js";

await createTables(schema);
const app = await NestFactory.create<NestExpressApplication>(AppModule, { bufferLogs: true });
app.useLogger(app.get(Logger));
// What is never stored needs no hash.
app.disable("etag");
app.useBodyParser("json", { limit: bodyLimit });
app.use(helmet(helmetOptions));
app.use((_request: Request, response: Response, next: NextFunction) => {
  response.set("cache-control", "no-store");
  next();
});
app.getHttpServer().keepAliveTimeout = keepAliveTimeout;
await app.listen(env.port, "127.0.0.1");
process.stdout.write(`listening ${await app.getUrl()}\n`);
