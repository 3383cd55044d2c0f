import { internalErrors, platformErrors } from "./errors.ts";
import { fileLimits, filePurposes, fileRules } from "./files.ts";
import { kycFields, kycReasons, kycStatuses, submissionResponses } from "./kyc.ts";
import { clientRetries, rateLimits, requestLimits } from "./limits.ts";
import { operatorProcedures, platformProcedures, recentSignIns } from "./procedures.ts";
import { roles } from "./roles.ts";
import { webhookAttempts, webhookEventFields, webhookEventTypes } from "./webhooks.ts";

/** The generated parts of the pages, by the name in their comments. */
export const tables: Record<string, () => string> = {
  "client-retries": clientRetries,
  "file-limits": fileLimits,
  "file-purposes": filePurposes,
  "file-rules": fileRules,
  "internal-errors": internalErrors,
  "kyc-fields": kycFields,
  "kyc-reasons": kycReasons,
  "kyc-statuses": kycStatuses,
  "platform-errors": platformErrors,
  "operator-procedures": operatorProcedures,
  "platform-procedures": platformProcedures,
  "rate-limits": rateLimits,
  "recent-sign-ins": recentSignIns,
  "request-limits": requestLimits,
  roles,
  "submission-responses": submissionResponses,
  "webhook-attempts": webhookAttempts,
  "webhook-event-fields": webhookEventFields,
  "webhook-event-types": webhookEventTypes,
};
