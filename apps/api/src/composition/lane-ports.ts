import type { ProviderShares } from "@cardbridge/domain";
import type { Ports } from "@cardbridge/operations";
import type { Database } from "@cardbridge/store";
import type { FairShares } from "../fair-shares/fair-shares.ts";
import type { SignedUrls } from "../file-downloads/file-urls.ts";
import { createPorts, type PortParts } from "./ports.ts";
import { shareDatabase } from "./share-database.ts";
import { type TrackedAttempts, trackAttempts } from "./tracked-attempts.ts";
import type { Variants } from "./variants.ts";

interface Options {
  database: Database;
  shares: { database: FairShares; provider: FairShares };
  /** What the ports of every lane share. */
  parts: Omit<PortParts, "database" | "providerShares">;
  variants: Variants;
}

export interface LanePorts {
  /** Creates the ports of calls for platforms, each in its own lane, or of the calls of one lane. */
  of(lane?: string): Ports & { fileUrls: SignedUrls };
  /** Releases the remaining leases of records. */
  release(): Promise<unknown>;
}

/** Creates the service's ports for each lane of the fair shares, and tracks the attempts that they own. */
export function createLanePorts({ database, shares, parts, variants }: Options): LanePorts {
  const owned: TrackedAttempts[] = [];
  return {
    of(lane) {
      const all = createPorts({
        ...parts,
        database: shareDatabase(database, shares.database, lane),
        providerShares: inLane(shares.provider, lane),
      });
      const tracked = trackAttempts(variants.kycRecords?.(all.kycRecords) ?? all.kycRecords);
      owned.push(tracked);
      const webhookDeliveries = variants.webhookDeliveries?.(all.webhookDeliveries) ?? all.webhookDeliveries;
      return { ...all, webhookDeliveries, kycRecords: tracked.kycRecords };
    },
    release: () => Promise.all(owned.map((tracked) => tracked.release())),
  };
}

/** The shares of the provider, in one lane for all platforms if `lane` names one. */
function inLane(places: FairShares, lane: string | undefined): ProviderShares {
  return lane === undefined ? places : { run: (_platformId, work) => places.run(lane, work) };
}
