import { knownSubStatuses, type ManualDecision } from "@cardbridge/domain";
import { isCardNumber } from "@cardbridge/provider";
import { type Command, InvalidArgumentError, Option } from "commander";
import { askByHand } from "../operations/ask-by-hand.ts";
import { resendByHand } from "../operations/resend-by-hand.ts";
import { settleByHand } from "../operations/settle-by-hand.ts";
import { showByHand } from "../operations/show-by-hand.ts";
import { withByHand, withDesk } from "./connect.ts";
import { limitOption } from "./limit.ts";
import { personOf } from "./person.ts";
import { askReport, resendReport, settleReport } from "./records/by-hand.ts";
import { listReport } from "./records/list.ts";
import { showReport } from "./records/show.ts";
import { reports } from "./report.ts";

/** Unsettled for longer than this many seconds is stuck: the usual waits between attempts are half a minute. */
const stuckSeconds = 600;

/** `cardbridge records`: KYC records whose outcome is not known, and what people do about them. */
export function addRecords(program: Command): void {
  const by = () => personOf(program);
  const records = program.command("records").description("KYC records that wait, and what to do about them");

  reports(
    records
      .command("list")
      .summary("list the records that wait, held ones first")
      .description(
        "Lists the records that wait: those held for people first, then the unsettled ones, then those that the " +
          "provider reviews; each oldest first.",
      )
      .option("--stuck", `only those that are held, or unsettled for more than ${stuckSeconds / 60} minutes`)
      .option("--platform <id>", "only those of one platform")
      .addOption(limitOption(50)),
    async ({ stuck = false, platform, limit }: { stuck?: boolean; platform?: string; limit: number }) => {
      const filter = { stuckSeconds: stuck ? stuckSeconds : undefined, platformId: platform };
      // One more tells whether there are more.
      const found = await withDesk(by(), ({ desk }) => desk.list({ ...filter, limit: limit + 1 }));
      return listReport(found.slice(0, limit), { more: found.length > limit, stuck, platform });
    },
  );

  reports(
    records
      .command("show <id>")
      .summary("show a record and its history")
      .description("Shows a record, where its settling stands, and its history; never what was submitted."),
    async (id: string) => showReport(await withDesk(by(), (ports) => showByHand(ports, by(), id))),
  );

  reports(
    records
      .command("ask <id>")
      .summary("ask the provider what became of a record")
      .description("Asks the provider now what became of a record, and stores what it says. Sends nothing."),
    async (id: string) => askReport(await withByHand(by(), (ports) => askByHand(ports, id))),
  );

  reports(
    records
      .command("resend <id>")
      .summary("ask, and send again what the provider does not know")
      .description(
        "Asks the provider as `ask` does. Only if it says that it does not know the record, the submission is " +
          "sent again, as it was stored and under its reference.",
      ),
    async (id: string) => resendReport(await withByHand(by(), (ports) => resendByHand(ports, id))),
  );

  const settle = records
    .command("settle <id>")
    .summary("settle a record by what the provider told you")
    .description(
      "Settles an unsettled record by what the provider told you, on the telephone for instance. Should its own " +
        "system say something else later, that wins.",
    )
    .addOption(new Option("--refused", "the provider refused to take the submission").conflicts("status"))
    .addOption(
      new Option("--status <status>", "what the provider calls its status").choices(knownSubStatuses),
    )
    .addOption(
      new Option("--account <id>", "the card account that the provider opened")
        .argParser(account)
        .conflicts("refused"),
    );
  reports(settle, async (id: string, { status, account: cardAccountId, refused }: SettleOptions) => {
    if (refused !== true && status === undefined) settle.error("error: give --refused or --status <status>");
    const word: ManualDecision =
      status === undefined
        ? { outcome: "refused" }
        : { outcome: "answered", subStatus: status, cardAccountId: cardAccountId ?? null };
    return settleReport(await withDesk(by(), ({ desk }) => settleByHand(desk, id, word)));
  });
}

interface SettleOptions {
  status?: string;
  account?: string;
  refused?: boolean;
}

function account(text: string): string {
  if (isCardNumber(text)) throw new InvalidArgumentError("This is a card number.");
  if (/^[\x21-\x7e]{1,256}$/.test(text)) return text;
  throw new InvalidArgumentError("Give visible characters without a space.");
}
