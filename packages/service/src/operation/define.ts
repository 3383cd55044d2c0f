import { Failure, isRecord, limitArrays, parseInput } from "@cardbridge/domain";
import type { z } from "zod";
import { auditOutcome } from "./audit.ts";
import { authorize, callViolations } from "./authorize.ts";
import type { OperationCall } from "./call.ts";
import { codeOf, counted } from "./counted.ts";
import type { Kind, Operation, OperationSpec, Outcome, RestBinding } from "./declaration.ts";
import { reachedPlatform } from "./reach.ts";

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
    execute(ports, caller, raw, violations = []) {
      return counted(ports.observer, spec.id, executeAudited, resultOf);

      async function executeAudited(): Promise<Outcome<z.output<O>>> {
        const call: OperationCall = { ...caller, operation: spec.id };
        // What happens to an owner is audited under the caller's platform.
        const audited = { ...call };
        let outcome: Outcome<z.output<O>>;
        try {
          const input = await parse(call);
          call.platformId = await reachedPlatform(ports, caller, spec, input);
          if (spec.reach !== "owner") audited.platformId = call.platformId;
          outcome = await run(ports, call, input);
        } catch (error) {
          const { kycRecordId = null, subject = kycRecordId } = error instanceof Failure ? error.details : {};
          await auditOutcome(ports.database, audited, spec, { outcome: codeOf(error), subject, raw });
          throw error;
        }
        audited.platformId = outcome.platformId ?? audited.platformId;
        const done = { outcome: resultOf(outcome), subject: outcome.subject ?? null, raw };
        await auditOutcome(ports.database, audited, spec, done);
        return outcome;
      }

      async function parse(call: OperationCall): Promise<z.output<I>> {
        authorize(spec, call, raw);
        const parsed = parseInput(spec.input, spec.rules, raw);
        const all = [
          ...callViolations(spec, call, violations),
          ...violations,
          ...(parsed.ok ? [] : parsed.violations),
        ];
        if (parsed.ok && all.length === 0) return parsed.value;
        const { input } = limitArrays(spec.input, raw);
        if (isRecord(input)) all.push(...(await furtherViolations(ports, call, input)));
        throw new Failure("INVALID_INPUT", { violations: all });
      }
    },
  };
}

function resultOf({ replayed }: Outcome<unknown>): "done" | "replayed" {
  return replayed ? "replayed" : "done";
}
