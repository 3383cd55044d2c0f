import type { Command } from "commander";
import type { Session } from "../session.ts";
import { addCreate } from "./create.ts";
import { addDelete } from "./delete.ts";
import { addDeliveries } from "./deliveries.ts";
import { addEnable } from "./enable.ts";
import { addList } from "./list.ts";
import { addRedeliver } from "./redeliver.ts";
import { addRotateSecret } from "./rotate-secret.ts";
import { addShow } from "./show.ts";
import { addTest } from "./test.ts";
import { addUpdate } from "./update.ts";

/** `cardbridge webhooks`: the endpoints of a platform, and what was delivered to them. */
export function addWebhooks(program: Command, session: Session): void {
  const group = program.command("webhooks").description("the webhook endpoints of a platform");
  const endpoints = [addList, addShow, addCreate, addUpdate, addEnable, addDelete, addRotateSecret];
  for (const add of [...endpoints, addTest, addDeliveries, addRedeliver]) add(group, session);
}
