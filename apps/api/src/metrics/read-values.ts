import { Counter, Gauge, type Registry } from "prom-client";
import type { ReadMetric, Sample } from "./declaration.ts";

/** Registers metrics whose values each scrape reads. Every series is there always: zero, or NaN if it is not known. */
export function readValues(registry: Registry, metrics: readonly ReadMetric[]): void {
  for (const { type, name, help, series, read } of metrics) {
    const options = { name, help, labelNames: Object.keys(series[0] ?? {}), registers: [registry] };
    if (type === "counter") {
      new Counter({
        ...options,
        async collect() {
          const samples = (await valuesOf(read)) ?? [];
          this.reset();
          for (const set of series) this.inc(set, 0);
          for (const { labels = {}, value } of samples) this.inc(labels, value);
        },
      });
    } else {
      new Gauge({
        ...options,
        async collect() {
          const samples = await valuesOf(read);
          for (const set of series) this.set(set, samples ? 0 : Number.NaN);
          for (const { labels = {}, value } of samples ?? []) this.set(labels, value);
        },
      });
    }
  }
}

async function valuesOf(read: ReadMetric["read"]): Promise<readonly Sample[] | undefined> {
  try {
    return await read();
  } catch {
    return undefined;
  }
}
