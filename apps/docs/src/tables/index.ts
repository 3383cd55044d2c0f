import { airwallexFields } from "./airwallex.ts";
import { internalErrors, platformErrors } from "./errors.ts";
import { fileLimits, filePurposes, fileRules } from "./files.ts";
import { kycReasons } from "./kyc.ts";
import { rateLimits, requestLimits } from "./limits.ts";
import { mcpTools } from "./mcp.ts";
import { operatorProcedures, recentSignIns } from "./procedures.ts";
import { roles } from "./roles.ts";
import { demoKeys, demoUsers, sandboxReasons, sandboxTags } from "./sandbox.ts";
import { webhookAttempts } from "./webhooks.ts";

/** The generated parts of the pages, by the name in their comments. */
export const tables: Record<string, () => string> = {
  "airwallex-fields": airwallexFields,
  "demo-keys": demoKeys,
  "demo-users": demoUsers,
  "file-limits": fileLimits,
  "file-purposes": filePurposes,
  "file-rules": fileRules,
  "internal-errors": internalErrors,
  "kyc-reasons": kycReasons,
  "mcp-tools": mcpTools,
  "operator-procedures": operatorProcedures,
  "platform-errors": platformErrors,
  "rate-limits": rateLimits,
  "recent-sign-ins": recentSignIns,
  "request-limits": requestLimits,
  roles,
  "sandbox-reasons": sandboxReasons,
  "sandbox-tags": sandboxTags,
  "webhook-attempts": webhookAttempts,
};
