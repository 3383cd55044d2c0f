function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is missing.`);
  return value;
}

/** What a peer is told when it starts. */
export const env = {
  providerUrl: required("PROVIDER_URL"),
  databaseUrl: required("BENCH_DATABASE_URL"),
  key: required("BENCH_KEY"),
  memberCount: Number(required("BENCH_MEMBERS")),
  port: Number(process.env.PORT ?? 0),
};

/** Connections to PostgreSQL and to the provider. */
export const connections = { database: 10, provider: 64 };

/** So long a call of the provider may take, in milliseconds. */
export const providerTimeout = 10_000;

/** So large a body may be. */
export const bodyLimit = 64 * 1024;

/** So long an idle connection is kept, in milliseconds. */
export const keepAliveTimeout = 65_000;
