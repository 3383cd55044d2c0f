import { AsyncLocalStorage } from "node:async_hooks";
import type { TestOverrides } from "../../../../src/boot/compose.ts";
import type { Reach } from "./fail-point.ts";
import { isPortCall, type PortCall } from "./points.ts";

type Method = (...input: unknown[]) => Promise<unknown>;

/** Wraps the service's ports: each call, and the fail-points of its transaction, call `reach`. */
export function failingOverrides(
  reach: Reach,
): Omit<Required<TestOverrides>, "resolveIntervalMs" | "capabilities"> {
  const current = new AsyncLocalStorage<PortCall>();

  function reaching(call: PortCall, method: Method): Method {
    return async (...input) => {
      await reach(`${call}.before`);
      const result = await current.run(call, () => method(...input));
      await reach(`${call}.after`);
      return result;
    };
  }

  function wrap<P extends object>(port: P): P {
    const wrapped = Object.keys(port)
      .filter(isPortCall)
      .map((call) => [call, reaching(call, port[call as keyof P] as Method)]);
    return { ...port, ...Object.fromEntries(wrapped) };
  }

  return {
    kycRecords: wrap,
    provider: wrap,
    webhookDeliveries: ({ leaseDue, load, record, ...port }) => {
      const { loadDelivery, recordDelivery } = wrap({ loadDelivery: load, recordDelivery: record });
      return {
        ...port,
        load: loadDelivery,
        record: recordDelivery,
        async leaseDue(limits) {
          const due = await leaseDue(limits);
          // A worker looks for due deliveries continuously.
          if (due.length > 0) await reach("leaseDeliveries.after");
          return due;
        },
      };
    },
    webhookSender: ({ send }) => ({ send: wrap({ sendDelivery: send }).sendDelivery }),
    failPoint: (point) => reach(`${current.getStore()}.${point}`),
  };
}
