import { canaryEnv, failingEnv, type Services, type Target } from "../../service/canary/services.ts";
import type { Cluster } from "../faults/cluster/cluster.ts";
import { hasEnded, type Service, type ServiceOptions } from "../faults/cluster/service.ts";

type ProcessTarget = Target & Service;

export interface ClusterServices extends Services {
  well: ProcessTarget;
  startProcess(options: ServiceOptions): Promise<ProcessTarget>;
}

/** Starts the services of a canary as processes that share a database, which then logs every statement. */
export async function startInProcesses(
  cluster: Cluster,
  tracesUrl: string,
  look: () => Promise<void>,
): Promise<ClusterServices> {
  // Statement parameters are personal data: the database's log must not contain them either.
  for (const setting of ["log_statement = 'all'", "log_parameter_max_length = 0"])
    await cluster.query(
      `do $$ begin execute format('alter database %I set ${setting.replaceAll("'", "''")}', current_database()); end $$`,
    );
  const started: ProcessTarget[] = [];

  async function startProcess(options: ServiceOptions): Promise<ProcessTarget> {
    const env = { ...canaryEnv(tracesUrl), METRICS_PORT: "0", ...options.env };
    const service = await cluster.startService({ ...options, env });
    const metricsUrl = /Metrics +(\S+)/.exec(service.output())?.[1] ?? "";
    const metrics = async () => (hasEnded(service) ? "" : (await fetch(metricsUrl)).text());
    const target = { ...service, query: cluster.query, metrics };
    started.push(target);
    return target;
  }

  const { RUN: run, ...patience } = failingEnv;
  const [well, failing] = await Promise.all([startProcess({}), startProcess({ run, env: patience })]);
  await cluster.query("update api_keys set scopes = '{}' where platform_id = 'plt_second'");
  const { first, second, admin } = cluster.keys;
  return {
    well,
    failing,
    startProcess,
    look,
    keys: { first, admin, withoutScope: second },
    platformId: "plt_first",
    start: (env) => startProcess({ env }),
    throwing: () => startProcess({ failPoint: "createOrReplay.before:error" }),
    all: () => started,
    async end() {
      await Promise.all(started.filter((service) => !hasEnded(service)).map(({ end }) => end("SIGTERM")));
    },
  };
}
