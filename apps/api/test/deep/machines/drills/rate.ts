import { inject } from "vitest";
import { type Drill, drillUnderLoad } from "../drill.ts";
import { startRedis } from "../servers/redis.ts";

/** The processes and the Redis of their common rate are killed one after the other, and Redis hangs. */
export const sharedRate: Drill = {
  title: "each API process is killed, and the Redis of their rate is killed and hangs",
  needs: ["redis-server"],
  short: true,
  async run(size) {
    const redis = await startRedis();
    // Every call takes a token in Redis, and none is refused.
    const rate = "1000000/60";
    const rates = { RATE_LIMIT_READS: rate, RATE_LIMIT_WRITES: rate, RATE_LIMIT_SUBMISSIONS: rate };
    const each = { env: { ...rates, RATE_LIMIT_REDIS_URL: redis.url } };
    return drillUnderLoad(
      inject("postgres"),
      async ({ apis, load, start }) => {
        await load.succeeded(size);
        for (const [place, api] of [...apis.entries()]) {
          await api.end("SIGKILL");
          await load.succeeded(size / 2);
          apis[place] = await start();
          await load.succeeded(size / 2);
        }
        await redis.kill();
        await load.succeeded(size);
        await redis.start();
        await load.succeeded(size);
        redis.freeze();
        await load.succeeded(size);
        redis.thaw();
        await load.succeeded(size);
        return undefined;
      },
      { each },
    );
  },
};
