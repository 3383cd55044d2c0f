import {
  email,
  type FoundThing,
  findQuery,
  foundThings,
  internalPlatformId,
  maxFoundOfKind,
  maxRowsOfSearch,
  memberId,
  type OperatorScope,
} from "@cardbridge/domain";
import { and, asc, desc, eq, ilike, inArray, isNull, like, ne, or, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { entriesOf } from "../audit/request.ts";
import { shownMoment } from "../database/schema/columns.ts";
import {
  kycRecords,
  platforms,
  users,
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
} from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import type { PersonalDataKeys } from "../encryption/keys.ts";
import { forOperators } from "../operation/actors.ts";
import { auditOutcome } from "../operation/audit.ts";
import { platformsOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { indexesOnly } from "../paging/order.ts";
import { foundUserFields, listPlatforms, selectNamed } from "../users/find.ts";
import { exampleUser } from "../users/user.ts";
import { eventOfDelivery } from "../webhooks/select-deliveries.ts";

/** What is searched for, and how. */
interface Searched {
  tx: Tx;
  keys: PersonalDataKeys;
  text: string;
  /** The platforms that the caller may access. */
  among: readonly string[];
}

interface Kind {
  /** The scopes that let a person open what is found: one of them finds it. */
  scopes: readonly [OperatorScope, ...OperatorScope[]];
  read(searched: Searched): Promise<FoundThing[]>;
}

/** What can be found, in the order of the results. */
const kinds: readonly Kind[] = [
  { scopes: ["ops.users.read"], read: readUsers },
  { scopes: ["ops.records.read"], read: readRecords },
  { scopes: ["ops.webhooks"], read: readEndpoints },
  { scopes: ["ops.webhooks"], read: readDeliveries },
  { scopes: ["ops.platforms", "ops.keys", "ops.webhooks"], read: readPlatforms },
  { scopes: ["ops.records.read"], read: readRequests },
];

/** A person types letter by letter, and each pause searches: a user is audited once an hour. */
const shown = { audit: ["done"], oncePerHour: true } as const;

const { records: _records, version: _version, standingApproval: _standing, ...user } = exampleUser;

/** Finds whatever a text names, of every kind that the caller may open. */
export const findAnything = defineOperation({
  ...forOperators(...new Set(kinds.flatMap(({ scopes }) => scopes))),
  reach: "platforms",
  id: "search.find",
  kind: "read",
  summary: "Find anything",
  description:
    "Finds users, records, endpoints, deliveries, platforms and the outcomes of requests by what a person can type, on " +
    "the platforms that the caller may access, without personal data. Each kind needs the scope that reads it. An id that " +
    "is shortened in the middle is looked for among the newest ids that begin like it, at most 50,000 of all platforms.",
  input: findQuery,
  rules: [],
  output: foundThings,
  example: {
    input: { text: "alice@example.com" },
    output: {
      results: [{ kind: "user", platformName: "Example Ltd", ...user, latest: null }],
    },
  },
  errors: [],
  // `run` audits each user that is found, under the user's platform. A text that finds nobody is no look at anybody.
  audit: [],

  async run(ports, call, input) {
    const mine = platformsOf(call);
    const keys = await ports.personalDataKeys();
    const results = await ports.database.asOperators(mine, async (tx) => {
      await tx.execute(indexesOnly);
      const among = mine === "all" ? await listPlatforms(tx) : mine;
      const found: FoundThing[] = [];
      for (const { scopes, read } of among.length === 0 ? [] : kinds) {
        const may = call.kind === "operator" || scopes.some((scope) => call.scopes.has(scope));
        if (may) found.push(...(await read({ tx, keys, text: input.text.trim(), among })));
      }
      return found;
    });
    for (const found of results) {
      if (found.kind !== "user") continue;
      const { platformId, externalUserId: subject } = found;
      await auditOutcome(ports.database, { ...call, platformId }, shown, {
        outcome: "done",
        subject,
        raw: {},
      });
    }
    return { data: { results } };
  },
});

const recordFields = {
  kycRecordId: kycRecords.id,
  resolution: kycRecords.resolution,
  status: kycRecords.status,
  needsAttentionSince: shownMoment(sql`${kycRecords.needsAttentionSince}`) as SQL<string | null>,
  createdAt: shownMoment(sql`${kycRecords.createdAt}`),
};

/** The users with this e-mail, member id, card account or id, each with the state of the latest record. */
function readUsers(searched: Searched): Promise<FoundThing[]> {
  const { tx, keys, text, among } = searched;
  const named = [
    namedIds(users, searched),
    sql`select ${kycRecords.userId} from ${kycRecords} where ${kycRecords.cardAccountId} = ${text} limit ${maxFoundOfKind}`,
    ...(email.safeParse(text).success ? [selectNamed(keys, among, { email: text })] : []),
    ...(memberId.safeParse(text).success ? [selectNamed(keys, among, { memberId: text })] : []),
  ];
  const latest = tx
    .select({
      ...recordFields,
      needsAttentionSince: recordFields.needsAttentionSince.as("since"),
      createdAt: recordFields.createdAt.as("at"),
    })
    .from(kycRecords)
    .where(eq(kycRecords.userId, users.id))
    .orderBy(desc(kycRecords.createdAt))
    .limit(1)
    .as("latest");
  const { kycRecordId, resolution, status, needsAttentionSince, createdAt } = latest;
  return tx
    .select({
      kind: sql<"user">`'user'`,
      ...foundUserFields,
      latest: { kycRecordId, resolution, status, needsAttentionSince, createdAt },
    })
    .from(users)
    .innerJoin(platforms, eq(platforms.id, users.platformId))
    .leftJoinLateral(latest, sql`true`)
    .where(isAnyOf(users.id, named))
    .orderBy(asc(users.createdAt), asc(users.id))
    .limit(maxFoundOfKind);
}

function readRecords(searched: Searched): Promise<FoundThing[]> {
  return searched.tx
    .select({
      kind: sql<"record">`'record'`,
      platformId: kycRecords.platformId,
      platformName: platforms.name,
      externalUserId: kycRecords.userId,
      ...recordFields,
    })
    .from(kycRecords)
    .innerJoin(platforms, eq(platforms.id, kycRecords.platformId))
    .where(isAnyOf(kycRecords.id, [namedIds(kycRecords, searched)]))
    .limit(maxFoundOfKind);
}

/** The endpoints with this id, or with this text in their description. A platform has at most 10. */
function readEndpoints({ tx, text }: Searched): Promise<FoundThing[]> {
  return tx
    .select({
      kind: sql<"endpoint">`'endpoint'`,
      platformId: webhookEndpoints.platformId,
      platformName: platforms.name,
      endpointId: webhookEndpoints.id,
      description: webhookEndpoints.description,
      enabled: sql<boolean>`${webhookEndpoints.disabledAt} is null`,
    })
    .from(webhookEndpoints)
    .innerJoin(platforms, eq(platforms.id, webhookEndpoints.platformId))
    .where(
      and(
        isNull(webhookEndpoints.deletedAt),
        or(
          like(webhookEndpoints.id, idPattern(text)),
          ilike(webhookEndpoints.description, partPattern(text)),
        ),
      ),
    )
    .orderBy(asc(webhookEndpoints.description), asc(webhookEndpoints.id))
    .limit(maxFoundOfKind);
}

/** The deliveries with this id, and those of the event with it, which is what a platform receives. */
function readDeliveries(searched: Searched): Promise<FoundThing[]> {
  const { platformId, id, eventId } = webhookDeliveries;
  const ofPlatforms = inArray(platformId, [...searched.among]);
  const ofEvent = sql`select ${id} from ${webhookDeliveries} where ${and(ofPlatforms, eq(eventId, searched.text))} limit ${maxFoundOfKind}`;
  return searched.tx
    .select({
      kind: sql<"delivery">`'delivery'`,
      platformId,
      platformName: platforms.name,
      endpointId: webhookDeliveries.endpointId,
      deliveryId: id,
      type: webhookEvents.type,
      status: webhookDeliveries.status,
      createdAt: shownMoment(sql`${webhookDeliveries.createdAt}`),
    })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eventOfDelivery)
    .innerJoin(platforms, eq(platforms.id, platformId))
    .where(and(ofPlatforms, isAnyOf(id, [namedIds(webhookDeliveries, searched), ofEvent])))
    .orderBy(desc(webhookDeliveries.createdAt))
    .limit(maxFoundOfKind);
}

function readPlatforms({ tx, text }: Searched): Promise<FoundThing[]> {
  return tx
    .select({
      kind: sql<"platform">`'platform'`,
      platformId: platforms.id,
      platformName: platforms.name,
    })
    .from(platforms)
    .where(
      and(
        ne(platforms.id, internalPlatformId),
        or(like(platforms.id, idPattern(text)), ilike(platforms.name, partPattern(text))),
      ),
    )
    .orderBy(asc(platforms.name), asc(platforms.id))
    .limit(maxFoundOfKind);
}

/** The outcomes of the calls of a request, which no index has: they are looked for among the latest entries. */
async function readRequests({ tx, text, among }: Searched): Promise<FoundThing[]> {
  if (!/^req_[\w-]+$/.test(text)) return [];
  const entries = await entriesOf(tx, among, text);
  const ids = entries.map(({ platformId }) => platformId);
  const names = await tx
    .select({ id: platforms.id, name: platforms.name })
    .from(platforms)
    .where(inArray(platforms.id, ids));
  const nameOf = new Map(names.map(({ id, name }) => [id, name]));
  return entries
    .slice(0, maxFoundOfKind)
    .map(({ platformId, requestId, operation, outcome, subject, at }) => ({
      ...{ kind: "request", platformId, platformName: nameOf.get(platformId) ?? platformId },
      ...{ requestId: requestId ?? text, operation, outcome, subject, at: at.toISOString() },
    }));
}

/** Each way to an id reads its own index. A condition with `or` would read all rows. */
const isAnyOf = (id: AnyPgColumn, ways: readonly SQL[]) =>
  sql`${id} = any(array(${sql.join(
    ways.map((ids) => sql`(${ids})`),
    sql` union all `,
  )}))`;

/** The first and the last characters of an id that is shortened in the middle; undefined for another text. */
function partsOf(text: string): { first: string; last: string } | undefined {
  const [, first = "", last] = /^([a-z]{2,8}_[0-9a-z]{4})(?:…|\.\.\.)([0-9a-z]{4})$/.exec(text) ?? [];
  return last === undefined ? undefined : { first, last };
}

/** The ids of a table that a text names. A range of each platform's index has those that begin alike, newest first. */
function namedIds(
  table: typeof users | typeof kycRecords | typeof webhookDeliveries,
  { text, among }: Searched,
): SQL {
  const parts = partsOf(text);
  if (!parts) return sql`select ${text}::text`;
  // Ids have digits and small letters only, which collations order alike.
  const [from, to] = [parts.first.padEnd(40, "0"), parts.first.padEnd(40, "z")];
  return sql`
    select found.id from unnest(${sql.param([...among])}::text[]) as among (platform_id)
    cross join lateral (
      select ${table.id} as id from ${table}
      where ${table.platformId} = among.platform_id and ${table.id} between ${from} and ${to}
      order by ${table.id} desc limit ${Math.floor(maxRowsOfSearch / among.length)}
    ) as found
    where right(found.id, 4) = ${parts.last}`;
}

/** The pattern of an id, whole or shortened in the middle. */
function idPattern(text: string): string {
  const parts = partsOf(text);
  return parts ? `${escaped(parts.first)}%${parts.last}` : escaped(text);
}

const partPattern = (text: string) => `%${escaped(text)}%`;
const escaped = (text: string) => text.replace(/[\\%_]/g, "\\$&");
