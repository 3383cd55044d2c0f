import { deliveryStatuses, subscribedEventTypes } from "@cardbridge/domain";
import { Option } from "commander";

/** The platform of a command. */
export interface Owner {
  platform: string;
}

export const platformOption = () =>
  new Option("--platform <id>", "the endpoint's platform").makeOptionMandatory();

export const eventsOption = () =>
  new Option("--events <types...>", "the types of events that it receives").choices(subscribedEventTypes);

export const statusOption = () =>
  new Option("--status <status>", "only deliveries of this status").choices(deliveryStatuses);
