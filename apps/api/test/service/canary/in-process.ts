import { demoKeys } from "../../../src/admission/api-key.ts";
import { connectAsAdmin } from "../../deep/faults/cluster/admin-connection.ts";
import { failingOverrides } from "../../deep/faults/program/test-overrides.ts";
import { makeInternalKey } from "../../support/keys.ts";
import { operatorScopes } from "../../support/operator-scopes.ts";
import { startProxiedService } from "../../support/proxied-service.ts";
import { canaryEnv, failingEnv, type Services, type Target } from "./services.ts";

/** Starts the services of a canary in the test's process, each with its own database and sandbox. */
export async function startInProcess(tracesUrl: string): Promise<Services> {
  const started: (Target & { adminUrl: string; end(): Promise<void> })[] = [];
  let throws = false;

  async function start(env: Record<string, string>) {
    const service = await startProxiedService({
      env: { ...canaryEnv(tracesUrl), ...env },
      overrides: failingOverrides(async (place) => {
        if (!throws || place !== "createOrReplay.before") return;
        throws = false;
        throw new Error("a record that cannot be created");
      }),
    });
    const admin = connectAsAdmin(service.adminUrl);
    const target = {
      ...service,
      query: admin.query,
      output: () => service.lines.join(""),
      metrics: async () => (await service.metrics(new Request("http://127.0.0.1/metrics"))).text(),
      async end() {
        await admin.close();
        await service.stop();
      },
    };
    started.push(target);
    return target;
  }

  const [well, failing] = [await start({}), await start(failingEnv)];
  const admin = await makeInternalKey(well.adminUrl, [...operatorScopes, "cards:read"]);
  await well.query("update api_keys set scopes = '{}' where platform_id = 'plt_demo_two'");
  let ended: Promise<void> | undefined;
  return {
    well,
    failing,
    start,
    keys: { first: demoKeys.first, admin, withoutScope: demoKeys.second },
    platformId: "plt_demo_one",
    async throwing() {
      throws = true;
      return well;
    },
    look() {},
    all: () => started,
    end() {
      ended ??= Promise.all(started.map(({ end }) => end())).then(() => {});
      return ended;
    },
  };
}
