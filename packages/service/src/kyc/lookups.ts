import { Failure, internalPlatformId } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Ports } from "../operation/ports.ts";
import { requeueRecord } from "./requeue.ts";

type LookupPorts = Pick<Ports, "database" | "observer" | "provider" | "providerSlots">;

/** Stores that the provider has to be asked which submissions an event is about. */
export async function storeLookup({ database }: Pick<Ports, "database">, id: string): Promise<void> {
  await database.withoutPlatform((tx) =>
    tx.execute(sql`
      insert into provider_lookups (id) values (${id})
      on conflict (id) do update set due_at = clock_timestamp()`),
  );
}

/**
 * Asks the provider about the oldest due event, and makes the submissions due that it is about. After a failure the
 * event is due again, in half its age but at least a minute. A later event with the id is not lost.
 * @returns whether an event was due
 * @throws Failure as `CardProvider.findAsked`; PROVIDER_PAUSED, SERVICE_UNAVAILABLE
 */
export async function resolveLookup(ports: LookupPorts): Promise<boolean> {
  const { database, provider, providerSlots } = ports;
  if (!provider.findAsked) return false;
  const { rows } = await database.withoutPlatform((tx) =>
    tx.execute<{ id: string; due_at: string }>(sql`
      update provider_lookups
      set due_at = clock_timestamp() + greatest(interval '1 minute', (clock_timestamp() - created_at) / 2)
      where id = (
        select id from provider_lookups where due_at <= clock_timestamp()
        order by due_at limit 1 for update skip locked
      )
      returning id, due_at::text`),
  );
  const [due] = rows;
  if (!due) return false;
  const ask = async () => provider.findAsked?.(due.id);
  for (const about of (await providerSlots.run(internalPlatformId, ask)) ?? []) {
    await requeueRecord(ports, about).catch(ignoreUnknown);
  }
  await database.withoutPlatform((tx) =>
    tx.execute(sql`delete from provider_lookups where id = ${due.id} and due_at = ${due.due_at}`),
  );
  return true;
}

/** A submission of the provider that this service does not know was observed, and another look finds it no better. */
function ignoreUnknown(error: unknown): void {
  if (!(error instanceof Failure && error.code === "KYC_RECORD_NOT_FOUND")) throw error;
}
