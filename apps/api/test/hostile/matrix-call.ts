import { expect } from "vitest";
import type { Actor } from "./actors.ts";
import type { Binding } from "./calls.ts";
import { checkAnswers } from "./check-answers.ts";
import type { Defect } from "./defects.ts";
import { exchange, type WireAnswer } from "./exchange.ts";
import type { MatrixService } from "./matrix-service.ts";
import { type Message, wholeMessage } from "./message.ts";
import { entriesOf, firstOf, type Verdict, wordsOf } from "./verdict.ts";

/** One call of the matrix, and its expected error. */
export interface Cell {
  name: string;
  binding: Binding;
  verdict: Verdict;
  message(right: Record<string, unknown>): Message;
}

export function cellOf(binding: Binding, actor: Actor, { name, verdict, input, mutate }: Defect): Cell {
  return {
    name: `${actor.name}: ${name}`,
    binding,
    verdict: firstOf(actor.verdict(binding), verdict),
    message(right) {
      const message = wholeMessage({
        operation: binding.name,
        ...binding.write(input ? input(right) : right),
        headers: [["Content-Type", binding.contentType], ...actor.headers(binding)],
        hasKey: actor.verdict(binding)?.stage !== "key",
      });
      return mutate ? mutate(message) : message;
    },
  };
}

/**
 * Sends calls to one binding. Rejected calls share an input and one comparison of the stores, because together they
 * write only their audit entries.
 */
export async function expectVerdicts(service: MatrixService, cells: readonly Cell[]): Promise<void> {
  const refused = cells.filter(({ verdict }) => verdict);
  const accepted = cells.filter(({ verdict }) => !verdict);
  const got: Record<string, string> = {};
  const written = await unexpectedlyWritten(service, refused, got);
  for (const cell of accepted)
    got[cell.name] = await send(service.url, cell, await service.rightInput(cell.binding));
  expect(got).toEqual(Object.fromEntries(cells.map(({ name, verdict }) => [name, wordsOf(verdict)])));
  expect(written, "A rejected call has written. Send each alone to find it.").toBeUndefined();
}

/** Returns the writes of rejected calls besides their audit entries, if any. Adds the responses to `got`. */
async function unexpectedlyWritten(
  service: MatrixService,
  refused: readonly Cell[],
  got: Record<string, string>,
): Promise<string | undefined> {
  const [first] = refused;
  if (!first) return undefined;
  const right = await service.rightInput(first.binding);
  const look = async () => ({
    rows: await service.stores.look(),
    entries: await service.stores.countAuditEntries(),
  });
  const before = await look();
  let entries = before.entries;
  for (const cell of refused) {
    got[cell.name] = await send(service.url, cell, right);
    if (cell.verdict) entries += entriesOf(cell.verdict, cell.binding);
  }
  const after = await look();
  if (after.rows === before.rows && after.entries === entries) return undefined;
  return `${before.rows} became ${after.rows}; ${after.entries} audit entries, not ${entries}`;
}

async function send(url: string, cell: Cell, right: Record<string, unknown>): Promise<string> {
  const message = cell.message(right);
  const answers = await exchange(url, message);
  checkAnswers(message, answers);
  return answers.map(outcomeOf).join();
}

function outcomeOf({ status, body }: WireAnswer): string {
  if (status < 300) return "success";
  const [json] = [JSON.parse(body)].flat();
  return `${status} ${(json.error?.data.problem ?? json).code}`;
}
