import { type CurrentPauses, type Failure, isOperatorScope, platformPaused } from "@cardbridge/domain";
import { type Call, mapOperations, type Operation, type Operations } from "@cardbridge/service";

type Pauses = Pick<CurrentPauses, "platform">;

/**
 * The failure of a call with a paused platform's key or upload URL. Internal apps name their platform in the header or in
 * the input, so `refuseWhilePaused` refuses their calls.
 */
export function refusePaused(
  pauses: Pauses,
  { kind, platformId }: Pick<Call, "kind" | "platformId">,
): Failure | undefined {
  return kind === "platform" ? failureOf(pauses, platformId) : undefined;
}

/** Makes the operations refuse calls of internal apps about a paused platform, except operators' own acts. */
export function refuseWhilePaused(operations: Operations, pauses: Pauses): Operations {
  return mapOperations(operations, (operation) => {
    if (!operation.platform) return operation;
    return {
      ...operation,
      async execute(ports, call, raw, violations) {
        const isOfApp = call.kind === "internal" && !isOperatorsAct(operation, call);
        const paused = isOfApp ? failureOf(pauses, call.platformId) : undefined;
        if (paused) throw paused;
        return operation.execute(ports, call, raw, violations);
      },
    };
  });
}

/** Whether a scope of operators allows the call. */
function isOperatorsAct({ scopes }: Operation, call: Call): boolean {
  return scopes.some((scope) => isOperatorScope(scope) && call.scopes.has(scope));
}

function failureOf(pauses: Pauses, platformId: string): Failure | undefined {
  const pause = pauses.platform(platformId);
  return pause ? platformPaused(pause) : undefined;
}
