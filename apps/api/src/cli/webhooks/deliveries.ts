import type { WebhookDelivery } from "@cardbridge/domain";
import { type Command, Option } from "commander";
import { type Report, reportAction } from "../report.ts";
import type { Session } from "../session.ts";
import { formatAttempts, formatDeliveries } from "./format.ts";
import { type Owner, platformOption, statusOption } from "./options.ts";

const pageSize = 50;

interface Options extends Owner {
  status?: WebhookDelivery["status"];
  page: number;
}

export function addDeliveries(group: Command, session: Session): void {
  const command = group
    .command("deliveries <id> [delivery]")
    .summary("list an endpoint's deliveries, or show the attempts of one")
    .description("Lists the deliveries of the last 30 days, newest first, or shows one with its attempts.")
    .addOption(platformOption())
    .addOption(statusOption())
    .addOption(new Option("--page <number>", `the page, of ${pageSize} each`).argParser(Number).default(1));
  reportAction(command, async (endpointId: string, deliveryId: string | undefined, options: Options) => {
    const { platform, status, page } = options;
    return session(
      async (run, { webhooks }) => {
        if (deliveryId !== undefined) {
          const delivery = await run(webhooks.delivery, { endpointId, deliveryId }, platform);
          const text = `${formatDeliveries([delivery])}\n\n${formatAttempts(delivery)}`;
          return { document: delivery, text };
        }
        return listReport(await run(webhooks.deliveries, { endpointId, status, page, pageSize }, platform));
      },
      ["keys"],
    );
  });
}

interface Page {
  items: WebhookDelivery[];
  page: number;
  totalPages: number;
}

function listReport(document: Page): Report {
  const { items, page, totalPages } = document;
  if (items.length === 0) return { document, text: "There is no such delivery." };
  const lines = formatDeliveries(items);
  return { document, text: page < totalPages ? `${lines}\n\nThere are more: --page ${page + 1}.` : lines };
}
