import * as z from "zod";
import { moment } from "../input/formats.ts";
import { environments } from "../keys/environment.ts";
import { breakerStates } from "../provider/state.ts";

/** The service as a whole, for operators: no secrets and no personal data. */
export const serviceStatus = z
  .object({
    environment: z.enum(environments),
    version: z.string(),
    commit: z.string().nullable(),
    fourEyes: z.boolean().meta({ description: "Whether some acts need two persons (FOUR_EYES)." }),
    provider: z.object({
      name: z.string(),
      breakers: z.record(z.string(), z.enum(breakerStates)).meta({
        description: "The circuit breakers of the process that answers, by group of calls.",
      }),
      capabilities: z.object({
        files: z.string().meta({ description: "How the provider gets files, as a sentence." }),
        fields: z
          .array(z.object({ field: z.string(), limits: z.string() }))
          .meta({ description: "The fields that the provider does not support in full, and why." }),
      }),
    }),
    limits: z
      .array(z.object({ name: z.string(), value: z.string() }))
      .meta({ description: "The configured limits, by the names of their variables." }),
    restoreCheckedAt: moment
      .nullable()
      .meta({ description: "When a restore was last checked; null if none was." }),
  })
  .meta({ id: "ServiceStatus" });
export type ServiceStatus = z.output<typeof serviceStatus>;

/** What the configuration and the provider's client say about the service. */
export type ServiceState = () => Omit<ServiceStatus, "restoreCheckedAt">;
