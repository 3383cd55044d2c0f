import { errorCodes, reasons } from "./errors.ts";
import { operatorProcedures, platformProcedures, recentSignIns } from "./procedures.ts";
import { roles } from "./roles.ts";

/** The generated parts of the pages, by the name in their comments. */
export const tables: Record<string, () => string> = {
  "error-codes": errorCodes,
  reasons,
  "platform-procedures": platformProcedures,
  "operator-procedures": operatorProcedures,
  "recent-sign-ins": recentSignIns,
  roles,
};
