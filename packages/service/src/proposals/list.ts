import {
  Failure,
  type PersonPlatforms,
  type ProposalListQuery,
  type ProposalPage,
  proposalListQuery,
  proposalPage,
} from "@cardbridge/domain";
import { and, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { platforms as platformTable, proposals } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { namedPlatforms } from "../operation/reach.ts";
import { toMicroseconds } from "../paging/order.ts";
import type { NamePorts } from "../persons/names.ts";
import {
  deciderScopes,
  exampleProposal,
  maybeOpen,
  type ProposalReader,
  type ProposalRow,
  proposalFields,
  proposalState,
  readerOf,
  toProposals,
} from "./proposal.ts";

const maxCounted = 1_000;

/** Lists the proposals of all platforms that the caller may access. */
export const listProposals = defineOperation({
  ...forOperators(...deciderScopes),
  reach: "platforms",
  id: "proposals.list",
  kind: "read",
  summary: "List proposals",
  description: "Lists the proposals of acts that need two persons, newest first, without personal data.",
  input: proposalListQuery,
  rules: [],
  output: proposalPage,
  example: {
    input: { waitingForMe: true },
    output: { proposals: [exampleProposal], waitingForMe: 1, nextCursor: null },
  },
  errors: ["PLATFORM_NOT_FOUND"],
  audit: [],

  async run(ports, call, query) {
    const platforms = namedPlatforms(call, query.platformIds);
    return { data: await readProposals(ports, { platforms, query, reader: readerOf(call) }) };
  },
});

interface Reading {
  platforms: PersonPlatforms;
  query: ProposalListQuery;
  reader: ProposalReader;
}

/** Reads a page of proposals of these platforms, whose kinds the reader may decide, newest first. */
export async function readProposals(
  ports: NamePorts,
  { platforms, query, reader }: Reading,
): Promise<ProposalPage> {
  const { rows, ...page } = await ports.database.asOperators(platforms, (tx) => readPage(tx, query, reader));
  return { ...page, proposals: await toProposals(ports, rows, reader) };
}

async function readPage(
  tx: Tx,
  { state, waitingForMe, kycRecordId, externalUserId, limit, cursor }: ProposalListQuery,
  reader: ProposalReader,
): Promise<Omit<ProposalPage, "proposals"> & { rows: ProposalRow[] }> {
  if (reader.kinds.length === 0) return { rows: [], waitingForMe: 0, nextCursor: null };
  const isOfKind = inArray(proposals.kind, [...reader.kinds]);
  const isMine = and(isOfKind, waitsFor(reader));
  const found = await tx
    .select({ ...proposalFields(reader), at: toMicroseconds(sql`${proposals.proposedAt}`) })
    .from(proposals)
    .innerJoin(platformTable, eq(platformTable.id, proposals.platformId))
    .where(
      and(
        isOfKind,
        waitingForMe ? isMine : undefined,
        state && hasState(state),
        kycRecordId === undefined ? undefined : eq(proposals.recordId, kycRecordId),
        externalUserId === undefined ? undefined : eq(proposals.userId, externalUserId),
        cursor === undefined ? undefined : isAfter(cursor),
      ),
    )
    .orderBy(desc(proposals.proposedAt), desc(proposals.id))
    .limit(limit + 1);
  const waiting = tx
    .select({ id: proposals.id })
    .from(proposals)
    .where(isMine)
    .limit(maxCounted)
    .as("waiting");
  const [counted] = await tx.select({ count: sql<number>`count(*)::int` }).from(waiting);
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return {
    rows: rows.map(({ at: _at, ...row }) => row),
    waitingForMe: counted?.count ?? 0,
    nextCursor: last && found.length > limit ? formatCursor(last) : null,
  };
}

/** The proposals that the reader may confirm: none without a person. */
function waitsFor({ personId }: ProposalReader): SQL {
  if (personId === null) return sql`false`;
  return sql`${hasState("open")} and ${proposals.proposer} is distinct from ${personId}`;
}

function hasState(state: NonNullable<ProposalListQuery["state"]>): SQL {
  const isState = sql`${proposalState} = ${state}`;
  return state === "open" || state === "void" ? sql`${maybeOpen} and ${isState}` : isState;
}

function formatCursor({ at, proposalId }: { at: string; proposalId: string }): string {
  return Buffer.from(`${at}.${proposalId}`).toString("base64url");
}

/** @throws Failure INVALID_INPUT for a cursor that is none. */
function isAfter(cursor: string): SQL {
  const text = Buffer.from(cursor, "base64url").toString();
  const [, at, id] = /^(\d{1,16})\.([\w-]{1,80})$/.exec(text) ?? [];
  if (at === undefined) {
    const message = "This is not the nextCursor of a page of proposals. Omit it to start again.";
    throw new Failure("INVALID_INPUT", {
      violations: [{ path: ["cursor"], rule: "search-cursor", message }],
    });
  }
  const moment = sql`timestamptz 'epoch' + ${at}::bigint * interval '1 microsecond'`;
  return sql`(${proposals.proposedAt}, ${proposals.id}) < (${moment}, ${id}::text)`;
}
