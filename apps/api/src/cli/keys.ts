import { internalPlatformId, platformScope, type Scope } from "@cardbridge/domain";
import { type Command, InvalidArgumentError, Option } from "commander";
import { isWellFormed } from "../api-keys/api-key.ts";
import { CannotBeDone } from "../operations/by-hand.ts";
import { administer, keys } from "./administer.ts";
import { type Expiry, expiry } from "./keys/expiry.ts";
import { listReport } from "./keys/list.ts";
import { madeReport, revokedReport, rotatedReport } from "./keys/made.ts";
import { limitOption } from "./limit.ts";
import { personOf } from "./person.ts";
import { reports } from "./report.ts";

const platformOption = () => new Option("--platform <id>", "of this platform").conflicts("internal");
const internalOption = () => new Option("--internal", "of internal apps, which name a platform per call");
const expiresOption = () =>
  new Option(
    "--expires <when>",
    "after so many days, at the end of a date (2027-01-31, UTC), or never",
  ).argParser((text) => expiry(text, new Date()));

/** `cardbridge keys`: API keys. One is shown when it is made and never again; none is ever taken as an argument. */
export function addKeys(program: Command): void {
  const by = () => personOf(program);
  const group = program.command("keys").description("the API keys of platforms and of internal apps");

  const create = group
    .command("create")
    .description("make a key, and print it alone on standard output")
    .addOption(platformOption())
    .addOption(internalOption())
    .requiredOption("--name <name>", "what it is for")
    .requiredOption(
      "--scopes <list>",
      `with commas: ${platformScope.options.join(", ")}; admin for internal apps`,
    )
    .addOption(expiresOption())
    .addOption(
      new Option("--live", "begins with cb_live_, as it does unless --test is given").conflicts("test"),
    )
    .option("--test", "begins with cb_test_");
  reports(create, async ({ name, scopes, expires, ...options }: CreateOptions) => {
    const platformId = platformOf(options);
    if (platformId === undefined) return create.error("error: give --platform <id> or --internal");
    const mode = options.live ? "live" : options.test ? "test" : undefined;
    // The operation says which scopes there are.
    const asked = scopes.split(",").map((scope) => scope.trim()) as Scope[];
    return madeReport(
      await administer(by(), keys.create, { platformId, name, scopes: asked, mode, expiresAt: expires?.at }),
    );
  });

  reports(
    group
      .command("list")
      .description("list the keys by platform and name, the newest first")
      .addOption(platformOption())
      .addOption(internalOption())
      .addOption(limitOption(200)),
    async ({ limit, ...options }: Whose & { limit: number }) => {
      const platformId = platformOf(options);
      return listReport(await administer(by(), keys.list, { platformId, limit }), platformId, new Date());
    },
  );

  reports(
    group
      .command("rotate <id>")
      .description("make a key's successor, and print it alone on standard output; both work for a while")
      .addOption(
        new Option("--overlap <hours>", "how long the old key still works: 0 to 720")
          .argParser(hours)
          .default(24),
      )
      .addOption(expiresOption()),
    async (id: string, { overlap, expires }: { overlap: number; expires?: Expiry }) =>
      rotatedReport(
        await administer(by(), keys.rotate, {
          keyId: noKey(id),
          overlapHours: overlap,
          expiresAt: expires?.at,
        }),
      ),
  );

  reports(group.command("revoke <id>").description("end a key for ever"), async (id: string) =>
    revokedReport(await administer(by(), keys.revoke, { keyId: noKey(id) })),
  );
}

interface Whose {
  platform?: string;
  internal?: boolean;
}

interface CreateOptions extends Whose {
  name: string;
  scopes: string;
  expires?: Expiry;
  live?: boolean;
  test?: boolean;
}

function platformOf({ platform, internal }: Whose): string | undefined {
  return internal ? internalPlatformId : platform;
}

/** What stands on a command line is seen by others and kept by the shell. */
function noKey(id: string): string {
  if (!isWellFormed(id)) return id;
  throw new CannotBeDone(
    "This is a key: take it for known to others. Give the key's id, as the list shows it.",
  );
}

function hours(text: string): number {
  if (/^[0-9]{1,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Give a whole number of hours from 0 to 720.");
}
