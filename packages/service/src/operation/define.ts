import { Failure, isRecord, limitArrays, parseInput } from "@cardbridge/domain";
import type { z } from "zod";
import { withAudit } from "./audited.ts";
import { authorize, callViolations } from "./authorize.ts";
import type { Kind, Operation, OperationSpec, RestBinding } from "./declaration.ts";
import { checkReach } from "./reach.ts";

/** Creates an operation from its declaration. Only this function authorizes calls and parses inputs. */
export function defineOperation<
  I extends z.ZodType,
  O extends z.ZodType,
  K extends Kind,
  B extends boolean,
  R extends RestBinding | undefined = undefined,
  P extends boolean = boolean,
>({
  run,
  furtherViolations = async () => [],
  ...spec
}: OperationSpec<I, O, K, B, R, P>): Operation<I, O, K, B, R, P> {
  return {
    ...spec,
    execute(ports, call, raw, violations = []) {
      return withAudit(ports, call, spec, raw, async () => {
        authorize(spec, call, raw);
        const parsed = parseInput(spec.input, spec.rules, raw);
        const all = [
          ...callViolations(spec, call, violations),
          ...violations,
          ...(parsed.ok ? [] : parsed.violations),
        ];
        if (!parsed.ok || all.length > 0) {
          const { input } = limitArrays(spec.input, raw);
          if (isRecord(input)) all.push(...(await furtherViolations(ports, call, input)));
          throw new Failure("INVALID_INPUT", { violations: all });
        }
        await checkReach(ports, call, spec, parsed.value);
        return run(ports, call, parsed.value);
      });
    },
  };
}
