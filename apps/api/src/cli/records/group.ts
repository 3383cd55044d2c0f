import type { Command } from "commander";
import type { Session } from "../session.ts";
import { addAsk } from "./ask.ts";
import { addList } from "./list.ts";
import { addResend } from "./resend.ts";
import { addSettle } from "./settle.ts";
import { addShow } from "./show.ts";

/** `cardbridge records`: KYC records that wait for a worker or an operator. */
export function addRecords(program: Command, session: Session): void {
  const group = program.command("records").description("show and settle the KYC records that wait");
  for (const add of [addList, addShow, addAsk, addResend, addSettle]) add(group, session);
}
