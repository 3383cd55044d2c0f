import type { Ports } from "@cardbridge/operations";
import type { SignedUrls } from "../rest/file-urls.ts";
import { trackAttempts } from "../worker/tracked-attempts.ts";
import type { Pools } from "./pools.ts";
import { createPorts, type PortParts } from "./ports.ts";
import type { TestOverrides } from "./test-overrides.ts";

interface ServicePorts {
  /** The ports of calls. */
  calls: Ports & { fileUrls: SignedUrls };
  /** The ports of the worker, webhooks, and the provider's own requests. */
  background: Ports;
  /** Returns the leases of unfinished attempts. */
  releaseLeases(): Promise<unknown>;
}

/** Creates the service's ports once for each pool, from the same parts. */
export function createServicePorts(
  parts: Omit<PortParts, "database" | "webhooksDatabase">,
  pools: Pools,
  overrides: TestOverrides,
): ServicePorts {
  function portsOver(databases: Pick<PortParts, "database" | "webhooksDatabase">) {
    const ports = createPorts({ ...parts, ...databases });
    const tracked = trackAttempts(overrides.kycRecords?.(ports.kycRecords) ?? ports.kycRecords);
    const webhookDeliveries =
      overrides.webhookDeliveries?.(ports.webhookDeliveries) ?? ports.webhookDeliveries;
    return {
      ports: { ...ports, webhookDeliveries, kycRecords: tracked.kycRecords },
      release: tracked.release,
    };
  }

  const calls = portsOver({ database: pools.calls });
  const background = portsOver({ database: pools.records, webhooksDatabase: pools.webhooks });
  return {
    calls: calls.ports,
    background: background.ports,
    releaseLeases: () => Promise.all([calls.release(), background.release()]),
  };
}
