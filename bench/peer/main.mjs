import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import helmet from "@fastify/helmet";
import rateLimit from "@fastify/rate-limit";
import underPressure from "@fastify/under-pressure";
import fastify, { LogController } from "fastify";
import { callerOf, createOrReplay, createTables, externalUserIdOf, resolve } from "./database.mjs";
import { Problem } from "./problem.mjs";
import * as provider from "./provider.mjs";
import { cardPage, cardsQuery, kycResult, kycSubmission } from "./schemas.mjs";
import { compileValidator } from "./validators.mjs";

/* The card list and the submission, implemented with Fastify. */

/** Logs one line per request, without the query, which contains the user's name. */
class OneLine extends LogController {
  incomingRequest() {}

  requestCompleted(_, request, reply) {
    const { method, routeOptions } = request;
    const { statusCode: status, elapsedTime: responseTime } = reply;
    request.log.info({ method, route: routeOptions.url, status, responseTime }, "request");
  }
}

const app = fastify({
  logger: { level: "info", base: null },
  logController: new OneLine(),
  genReqId: () => `req_${randomUUID()}`,
  bodyLimit: 64 * 1024,
  keepAliveTimeout: 65_000,
});
app.removeContentTypeParser("text/plain");
app.setValidatorCompiler(compileValidator);

app.setNotFoundHandler(() => {
  throw new Problem(404, "ROUTE_NOT_FOUND");
});
app.setErrorHandler((error, request, reply) => {
  const { statusCode: status = 500, validation, details } = error;
  if (status === 500) request.log.error({ error: error.name, code: error.code }, "unexpected_error");
  const code = validation ? "INVALID_INPUT" : status === 500 ? "INTERNAL_ERROR" : error.code;
  const errors = validation?.map(({ instancePath: path, keyword: rule, message }) => ({
    path,
    rule,
    message,
  }));
  const body = { title: STATUS_CODES[status], status, success: false, code, errors, requestId: request.id };
  return reply
    .code(status)
    .type("application/problem+json")
    .send({ ...body, ...details });
});

app.addHook("onRequest", async (request, reply) => {
  reply.headers({ "x-request-id": request.id, "cache-control": "no-store" });
});
// An API serves no content that a page may load.
const directives = { defaultSrc: ["'none'"], frameAncestors: ["'none'"], formAction: ["'none'"] };
await app.register(helmet, { contentSecurityPolicy: { useDefaults: false, directives } });

// Beyond this delay of the event loop, calls are refused.
const maxEventLoopDelay = Number(process.env.MAX_DELAY_MS ?? 1_000);
await app.register(underPressure, { maxEventLoopDelay, sampleInterval: 100, retryAfter: 1 });
// Each call is counted, and none is refused.
await app.register(rateLimit, {
  max: 1_000_000,
  timeWindow: 1_000,
  keyGenerator: ({ headers }) => headers.authorization,
});

app.decorateRequest("caller");
app.addHook("onRequest", async (request) => {
  const { scope } = request.routeOptions.config;
  if (scope === undefined) return;
  const [, key] = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "") ?? [];
  const caller = key && (await callerOf(key));
  if (!caller) throw new Problem(401, "UNAUTHENTICATED");
  if (!caller.scopes.includes(scope)) throw new Problem(403, "SCOPE_MISSING");
  request.caller = caller;
});

app.get(
  "/openapi/v1/cards/list",
  { config: { scope: "cards:read" }, schema: { querystring: cardsQuery, response: { 200: cardPage } } },
  async ({ query, caller }) => {
    const externalUserId = await externalUserIdOf(caller.platformId, query);
    if (externalUserId === undefined) throw new Problem(404, "USER_NOT_FOUND");
    const { items, total } = await provider.cards(externalUserId, query);
    const { page, pageSize } = query;
    return { items, page, pageSize, total, totalPages: Math.ceil(total / pageSize) };
  },
);

app.post(
  "/openapi/v1/users/kyc",
  { config: { scope: "kyc:write" }, schema: { body: kycSubmission, response: { "2xx": kycResult } } },
  async ({ body, caller, id }, reply) => {
    const created = await createOrReplay({ platformId: caller.platformId, requestId: id }, body);
    const record = created.replayed ? created.record : await submit(created.record, body);
    const { resolution, ...shown } = record;
    if (resolution === "refused") throw new Problem(422, "KYC_REFUSED", { kycRecordId: record.kycRecordId });
    if (created.replayed) reply.header("idempotent-replayed", "true");
    if (resolution === "answered") return { ...submitted, ...shown };
    return reply.code(202).send({ ...accepted, ...shown, status: "PENDING" });
  },
);

async function submit(record, submission) {
  const verdict = await provider.submit(record, submission);
  return verdict.resolution === "unresolved" ? record : resolve(record, verdict);
}

const submitted = {
  success: true,
  code: "KYC_SUBMITTED",
  message: "The provider received the submission; see status for its review.",
};
const accepted = {
  success: true,
  code: "KYC_ACCEPTED",
  message: "The service stored the submission and completes it with the provider; do not send it again.",
};

await createTables();
process.stdout.write(`listening ${await app.listen({ port: 0, host: "127.0.0.1" })}\n`);
