import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { createRecords } from "../common/pg/records.js";
import type { Submission } from "../common/submission.js";
import { submit } from "../common/submit.js";
import { kycResult, kycSubmission } from "./kyc-schemas.js";
import type { FastifyProvider } from "./provider.js";

/** The submission of a user's KYC. */
export async function kyc(app: FastifyInstance, parts: { pool: pg.Pool; provider: FastifyProvider }) {
  const ports = { records: createRecords(parts.pool), provider: parts.provider };
  app.post<{ Body: Submission }>(
    "/kyc",
    {
      config: { scope: "kyc:write" },
      schema: { body: kycSubmission, response: { "2xx": kycResult } },
    },
    async ({ body, caller, id }, reply) => {
      const answer = await submit(ports, { platformId: caller.platformId, requestId: id }, body);
      return reply.code(answer.status).headers(answer.headers).send(answer.body);
    },
  );
}
