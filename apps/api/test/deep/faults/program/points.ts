import type { CardProvider, KycRecords } from "@cardbridge/domain";
import type { TestOverrides } from "../../../../src/boot/compose.ts";

type TransactionFailPoint = Parameters<NonNullable<TestOverrides["failPoint"]>>[0];
type Place = "before" | TransactionFailPoint | "after";

const call = ["before", "after"] as const;
/** A call that is one transaction: `decided` and `committing` are its fail points (see the store). */
const transaction = ["before", "decided", "committing", "after"] as const satisfies readonly Place[];

/** The calls of WebhookDeliveries and WebhookSender, under names that no other port has. */
type WebhookCall = "leaseDeliveries" | "loadDelivery" | "sendDelivery" | "recordDelivery";

/** The calls of a submission and its resolution, with the points where each can fail. */
const places = {
  createOrReplay: transaction,
  leaseDue: call,
  loadAttempt: transaction,
  submitKyc: call,
  findKyc: call,
  answerRequest: call,
  storeVerdict: transaction,
  reschedule: transaction,
  recordProviderUpdate: transaction,
  leaseDeliveries: ["after"],
  loadDelivery: ["after"],
  sendDelivery: call,
  recordDelivery: ["decided", "committing", "after"],
} as const satisfies Partial<Record<keyof KycRecords | keyof CardProvider | WebhookCall, readonly Place[]>>;

export type PortCall = keyof typeof places;

/** A point where a process can fail, such as `createOrReplay.committing`. */
export type ServiceFailPoint = { [C in PortCall]: `${C}.${(typeof places)[C][number]}` }[PortCall];

/** The call of a fail-point. */
export const portCallOf = (point: ServiceFailPoint) => point.split(".")[0] as PortCall;

export const isPortCall = (name: string): name is PortCall => Object.hasOwn(places, name);

/** Every fail-point, in the order in which a submission passes them. */
export const failPoints = Object.entries(places).flatMap(([call, placesOfCall]) =>
  placesOfCall.map((place) => `${call}.${place}` as ServiceFailPoint),
);
