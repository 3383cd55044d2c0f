import type { Client } from "pg";
import type { Stage } from "./stage.ts";
import { formsOf, personalData } from "./submission.ts";

const state = "settlement, status, sub_status, card_account_id, revision";

/** Lets the database itself note every state that a record takes, beside the history that the service writes. */
export async function witnessChanges(admin: Client): Promise<void> {
  const ofNew = state.replace(/\w+/g, "new.$&");
  const ofOld = state.replace(/\w+/g, "old.$&");
  await admin.query(`
    create table witnessed (id bigint generated always as identity, record_id text, ${state.replace(/\w+/g, "$& text")});
    create function witness() returns trigger language plpgsql security definer as $$
    begin
      if tg_op = 'INSERT' or (${ofNew}) is distinct from (${ofOld}) then
        insert into public.witnessed (record_id, ${state}) values (new.id, ${ofNew});
      end if;
      return null;
    end $$;
    create trigger witness after insert or update on kyc_records for each row execute function witness();
  `);
}

export interface RecordRow {
  id: string;
  user_id: string;
  settlement: "unsettled" | "answered" | "refused";
  status: string | null;
  sub_status: string | null;
  held: boolean;
  attempt: number;
  settle_ms: number | null;
}

export const readRecords = (stage: Stage) =>
  stage.rows<RecordRow>(`select id, user_id, settlement, status, sub_status, held_at is not null as held, attempt,
    (extract(epoch from answered_at - created_at) * 1000)::int as settle_ms from kyc_records order by created_at`);

/** What an episode allows beyond the rule. */
export interface Allowed {
  /** How many records and effects one user may have: more where a resubmission is part of the episode. */
  perUser?: number;
  /** A submission may reach the provider again after its effect: an attempt was frozen, or its question lied to. */
  repeated?: boolean;
  /** Records may stay unsettled or undecided: the provider never speaks. */
  unsettled?: boolean;
}

/**
 * Compares what clients were told, what the database holds and what the provider executed. Returns every
 * broken promise as a sentence, with the number of its invariant.
 */
export async function compareLedgers(stage: Stage, allowed: Allowed = {}): Promise<string[]> {
  const { perUser = 1 } = allowed;
  const records = await readRecords(stage);
  const { executions, attempts, refusals } = await stage.ledger();
  const ids = new Set(records.map(({ id }) => id));
  const executed = new Map(executions.map((execution) => [execution.reference, execution]));
  const refused = new Set(refusals.map(({ reference }) => reference));
  const broken: string[] = [];
  const expect = (holds: boolean, sentence: string) => {
    if (!holds) broken.push(sentence);
  };

  for (const { body, submission } of stage.told) {
    if (body.kycRecordId === undefined) continue;
    expect(
      ids.has(body.kycRecordId),
      `I1: ${submission.memberId} was told of ${body.kycRecordId}, which is lost`,
    );
  }
  for (const reference of [...executed.keys(), ...refused]) {
    expect(ids.has(reference), `I1: the provider knows ${reference}, which the database does not`);
  }
  for (const [user, times] of countBy(executions, ({ userReference }) => userReference)) {
    expect(times <= perUser, `I2: ${user} has ${times} effects`);
  }
  for (const [user, times] of countBy(records, ({ user_id }) => user_id)) {
    expect(times <= perUser, `I2: ${user} has ${times} records`);
  }
  for (const { reference, outcome } of attempts) {
    const again = outcome === "repeated" && !allowed.repeated;
    expect(!again && outcome !== "conflict", `I2: ${reference} was sent again after its effect (${outcome})`);
  }
  for (const { id, settlement, sub_status, held } of records) {
    const settled = settlement !== "unsettled" || held || allowed.unsettled === true;
    expect(settled, `I3: ${id} is still unsettled`);
    const effect = executed.get(id);
    if (settlement === "answered") {
      expect(effect !== undefined, `I3: ${id} is answered, but the provider has nothing of it`);
      const same = effect?.status === sub_status || allowed.unsettled === true;
      expect(same, `I3: ${id} shows ${sub_status}, the provider says ${effect?.status}`);
    }
    if (settlement === "refused") expect(refused.has(id), `I3: ${id} is refused, but not by the provider`);
  }
  for (const [member, known] of toldOf(stage)) {
    expect(known.size <= perUser, `I4: ${member} was told of ${[...known].join(" and ")}`);
  }
  const sent = stage.services.flatMap(({ provider }) => provider.seen.map(({ text }) => text)).join("\n");
  for (const { memberId } of stage.submissions) {
    for (const form of formsOf(memberId)) expect(!sent.includes(form), `I5: the provider was sent ${form}`);
  }
  for (const sentence of await unmatched(stage)) broken.push(sentence);
  for (const sentence of await unaudited(stage)) broken.push(sentence);
  const output = stage.services.map((service) => service.output()).join("\n");
  for (const submission of stage.submissions) {
    for (const value of personalData(submission)) expect(!output.includes(value), `I7: ${value} is in a log`);
  }
  return broken;
}

/** The record ids that clients were told of, by member and Idempotency-Key. */
function toldOf(stage: Stage): Map<string, Set<string>> {
  const known = new Map<string, Set<string>>();
  for (const { submission, body } of stage.told) {
    if (body.kycRecordId === undefined) continue;
    const ids = known.get(submission.memberId) ?? new Set();
    known.set(submission.memberId, ids.add(body.kycRecordId));
  }
  return known;
}

/** I6: every state that a record took has its history row, in the same order, and every row its state. */
async function unmatched(stage: Stage): Promise<string[]> {
  const listOf = (table: string) =>
    stage.rows<{ record_id: string; states: string }>(
      `select record_id, json_agg(json_build_array(settlement, status, sub_status, card_account_id, revision::text)
         order by id)::text as states from ${table} group by record_id order by record_id`,
    );
  const [witnessed, history] = [await listOf("witnessed"), await listOf("kyc_history")];
  const inHistory = new Map(history.map(({ record_id, states }) => [record_id, states]));
  const inOrder = witnessed.filter(({ record_id, states }) => inHistory.get(record_id) !== states);
  const extra = history.length === witnessed.length ? [] : ["I6: history rows of records that never were"];
  return [
    ...inOrder.map(({ record_id }) => `I6: the history of ${record_id} is not what happened`),
    ...extra,
  ];
}

/** I8: every record was noted once when it was made, and the chain over the notes holds. */
async function unaudited(stage: Stage): Promise<string[]> {
  const wrong = await stage.rows<{ id: string; noted: number }>(
    `select r.id, count(e.id)::int as noted from kyc_records r left join audit_entries e
       on e.subject = r.id and e.operation = 'kyc.submit' and e.outcome = 'done'
     group by r.id having count(e.id) <> 1`,
  );
  const notes = wrong.map(({ id, noted }) => `I8: ${id} was noted ${noted} times`);
  return [...notes, ...(await stage.auditProblems()).map((sentence) => `I8: ${sentence}`)];
}

function countBy<T>(all: readonly T[], name: (one: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(name(one), (counts.get(name(one)) ?? 0) + 1);
  return counts;
}
