import { type RequestHandler, type Response, Router } from "express";
import type pg from "pg";
import { createRecords } from "../common/pg/records.js";
import { Problem } from "../common/problem.js";
import { submit } from "../common/submit.js";
import { type Locals, requireScope } from "./caller.js";
import { kycSubmission } from "./kyc-schemas.js";
import type { ExpressProvider } from "./provider.js";

/** The submission of a user's KYC. */
export function kyc(pool: pg.Pool, provider: ExpressProvider, json: RequestHandler): Router {
  const ports = { records: createRecords(pool), provider };
  const router = Router();
  const allowed = requireScope(pool, "kyc:write");
  router.post("/kyc", allowed, json, async (request, response: Response<unknown, Locals>) => {
    if (!request.is("application/json")) throw new Problem("UNSUPPORTED_MEDIA_TYPE");
    const submission = kycSubmission.parse(request.body);
    const { platformId } = response.locals.caller;
    const answer = await submit(ports, { platformId, requestId: String(request.id) }, submission);
    response.status(answer.status).set(answer.headers).json(answer.body);
  });
  return router;
}
