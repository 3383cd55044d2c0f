import { AsyncLocalStorage } from "node:async_hooks";
import type { At } from "./fail-point.ts";
import { portCalls } from "./names.ts";

type Method = (...given: unknown[]) => Promise<unknown>;

/** Puts the places of a fail-point around the calls of ports, and within their transactions. */
export function failPointsAround(at: At) {
  const under = new AsyncLocalStorage<string>();

  function passing(call: string, method: Method): Method {
    return async (...given) => {
      await at(`${call}.before`);
      const result = await under.run(call, () => method(...given));
      await at(`${call}.after`);
      return result;
    };
  }

  return {
    /** The same port, with the places around those of its calls that have some. */
    port<P extends object>(port: P): P {
      const calls = portCalls.filter((call) => call in port);
      const wrapped = calls.map((call) => [call, passing(call, port[call as keyof P] as Method)]);
      return { ...port, ...Object.fromEntries(wrapped) };
    },
    /** For `openDatabase`: the moments of a transaction, under the name of the call that runs it. */
    moment: (moment: string) => at(`${under.getStore()}.${moment}`),
  };
}
