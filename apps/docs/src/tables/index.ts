import { cardFields, cardListParameters } from "./cards.ts";
import { errorCodes, reasons } from "./errors.ts";
import { demoKeys, demoUsers, sandboxReasons, sandboxTags } from "./sandbox.ts";
import { scopes } from "./scopes.ts";

/** The generated parts of the pages, by the name in their comments. */
export const tables: Record<string, () => string> = {
  "card-fields": cardFields,
  "card-list-parameters": cardListParameters,
  "demo-keys": demoKeys,
  "demo-users": demoUsers,
  "error-codes": errorCodes,
  reasons,
  "sandbox-reasons": sandboxReasons,
  "sandbox-tags": sandboxTags,
  scopes,
};
