import { type Actor, defaultPolicies, internalPlatformId } from "@cardbridge/domain";
import { type AdminPorts, type Call, createOperations, type Operation } from "@cardbridge/operations";
import type { z } from "zod";
import { requestId } from "../observability/request-id.ts";
import { withAdmin } from "./connect.ts";

export const { platforms, keys, users } = createOperations(defaultPolicies).admin;

/** Runs an operation of the scope admin: whoever may use the database may look after platforms, keys and users. */
export async function administer<I extends z.ZodType, O extends z.ZodType>(
  by: Actor,
  operation: Operation<I, O, AdminPorts>,
  input: z.input<I>,
): Promise<z.output<O>> {
  const call: Call = {
    ...by,
    requestId: requestId(),
    platformId: internalPlatformId,
    scopes: new Set(["admin"]),
  };
  const { data } = await withAdmin((ports) => operation.execute(ports, call, input));
  return data;
}
