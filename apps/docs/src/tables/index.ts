import { cardFields, cardListParameters } from "./cards.ts";
import { internalErrors, platformErrors } from "./errors.ts";
import { fileLimits, filePurposes, fileRules } from "./files.ts";
import { kycFields, kycReasons, kycStatuses, submissionResponses } from "./kyc.ts";
import { clientRetries, rateLimits, requestLimits } from "./limits.ts";
import { mcpTools } from "./mcp.ts";
import { operatorProcedures, platformProcedures, recentSignIns } from "./procedures.ts";
import { roles } from "./roles.ts";
import { demoKeys, demoUsers, sandboxReasons, sandboxTags } from "./sandbox.ts";
import { scopes } from "./scopes.ts";
import { webhookAttempts, webhookEventFields, webhookEventTypes } from "./webhooks.ts";

/** The generated parts of the pages, by the name in their comments. */
export const tables: Record<string, () => string> = {
  "card-fields": cardFields,
  "card-list-parameters": cardListParameters,
  "client-retries": clientRetries,
  "demo-keys": demoKeys,
  "demo-users": demoUsers,
  "file-limits": fileLimits,
  "file-purposes": filePurposes,
  "file-rules": fileRules,
  "internal-errors": internalErrors,
  "kyc-fields": kycFields,
  "kyc-reasons": kycReasons,
  "kyc-statuses": kycStatuses,
  "mcp-tools": mcpTools,
  "operator-procedures": operatorProcedures,
  "platform-errors": platformErrors,
  "platform-procedures": platformProcedures,
  "rate-limits": rateLimits,
  "recent-sign-ins": recentSignIns,
  "request-limits": requestLimits,
  roles,
  "sandbox-reasons": sandboxReasons,
  "sandbox-tags": sandboxTags,
  scopes,
  "submission-responses": submissionResponses,
  "webhook-attempts": webhookAttempts,
  "webhook-event-fields": webhookEventFields,
  "webhook-event-types": webhookEventTypes,
};
