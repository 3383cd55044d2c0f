import type { PoolState } from "@cardbridge/domain";
import type { Usage } from "../admission/fair-semaphore.ts";
import { type Resource, resources } from "../admission/slots.ts";
import { type EventMetric, everyCombination, type ReadMetric } from "./declaration.ts";

const pools = ["database", "provider"] as const;
type PoolStates = Record<(typeof pools)[number], () => PoolState>;

export const shareMetrics = {
  share_refused: {
    name: "cardbridge_resource_refusals_total",
    help: "Calls that got no place of a resource: RATE_LIMITED if their platform uses its share of the places.",
    series: everyCombination({ resource: resources, outcome: ["RATE_LIMITED", "SERVICE_UNAVAILABLE"] }),
  },
} satisfies Record<string, EventMetric>;

/** The places of every scarce resource of this process, such as uploads under way and the uploads that wait. */
export function resourceUsage(usage: (resource: Resource) => Usage): ReadMetric[] {
  const gauge = (name: string, help: string, select: (usage: Usage) => number): ReadMetric => ({
    ...{ type: "gauge", name, help, series: everyCombination({ resource: resources }) },
    read: () => resources.map((resource) => ({ labels: { resource }, value: select(usage(resource)) })),
  });
  return [
    gauge(
      "cardbridge_resource_places",
      "The places of a scarce resource, which platforms share.",
      ({ capacity }) => capacity,
    ),
    gauge(
      "cardbridge_resource_places_in_use",
      "The places that calls use, such as uploads under way.",
      ({ inUse }) => inUse,
    ),
    gauge(
      "cardbridge_resource_waiting",
      "The calls that wait for a place of a resource.",
      ({ waiting }) => waiting,
    ),
  ];
}

/** The connections of the pools. */
export function poolConnections(states: PoolStates): ReadMetric[] {
  return [
    {
      type: "gauge",
      name: "cardbridge_pool_connections",
      help: "The open connections of a pool: in use, or idle.",
      series: everyCombination({ pool: pools, state: ["in-use", "idle"] }),
      read: () =>
        pools.flatMap((pool) => {
          const { inUse, idle } = states[pool]();
          return [
            { labels: { pool, state: "in-use" }, value: inUse },
            { labels: { pool, state: "idle" }, value: idle },
          ];
        }),
    },
    {
      type: "gauge",
      name: "cardbridge_pool_waiting",
      help: "The calls that wait for a connection of a pool, after they got a place of the resource.",
      series: everyCombination({ pool: pools }),
      read: () => pools.map((pool) => ({ labels: { pool }, value: states[pool]().waiting })),
    },
  ];
}
