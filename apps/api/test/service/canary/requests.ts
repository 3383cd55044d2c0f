import { expect, it } from "vitest";
import type { Canary } from "./canary.ts";
import type { Call } from "./client.ts";

/** Sends marks in requests with unknown targets, and in invalid HTTP. */
export function sendRequests({ services, marks, client, call }: Canary): void {
  it("unknown and invalid targets", async () => {
    const mark = marks.next();
    const targets: [status: number, path: string, more?: Partial<Call>][] = [
      [404, "/MARK?MARK=MARK"],
      [404, "/openapi/v1/MARK/MARK@example.com"],
      [404, "/openapi/v1/users/kyc/MARK/MARK"],
      [404, "/trpc/MARK"],
      [400, "/trpc/MARK?input=MARK"],
      [400, "/trpc/cards.list?input=MARK"],
      [400, "/trpc/cards.list?batch=1&MARK=MARK"],
      [404, "/trpc/cards.list,MARK?batch=1&input=%7B%220%22:%7B%22memberId%22:%22MARK%22%7D%7D"],
      [400, `/trpc/MARK${",MARK".repeat(20)}?batch=1`],
      [400, "/trpc/cards.list?connectionParams=MARK"],
      [400, "/trpc/MARK%E0%A4%A?MARK"],
      [400, "/openapi/v1/cards/list?memberId=MARK%E0%A4%A"],
      [400, "/openapi/v1/cards/list?memberId=MARK&memberId=MARK"],
      [400, "/openapi/v1/cards/list?memberId=MARK&MARK=MARK"],
      [400, "/trpc/cards.list?input=%7B%22memberId%22:%22MARK%22,%22MARK%22:%22MARK%22%7D"],
      [405, "/openapi/v1/cards/list?memberId=MARK", { method: "DELETE" }],
      [405, "/openapi/v1/users/kyc/MARK", { method: "PUT", body: mark }],
      [405, "/trpc/kyc.submit?input=MARK"],
      [414, `/openapi/v1/cards/list?memberId=${"MARK".repeat(600)}`],
      [404, "/docs/MARK"],
      [404, "/health/MARK"],
    ];
    for (const [status, target, more] of targets) {
      const path = target.replaceAll("MARK", mark);
      expect([target, await call("a target", { path, ...more })]).toEqual([target, status]);
    }
  });

  it("invalid HTTP", async () => {
    const mark = marks.next();
    const end = "host: a\r\nconnection: close\r\n\r\n";
    const raw: [string, number][] = [
      [`${mark}\r\n\r\n`, 400],
      [`GET /${mark} HTTP/1.1\r\nbad header ${mark}\r\n\r\n`, 400],
      [`GET /${mark} HTTP/1.1\r\nhost: ${mark}@${mark}\r\nconnection: close\r\n\r\n`, 400],
      [`GET http://${mark}:${mark}@x/ HTTP/1.1\r\n${end}`, 400],
      [`GET /${mark} HTTP/1.1\r\nexpect: ${mark}\r\n${end}`, 400],
      [`CONNECT ${mark}:443 HTTP/1.1\r\n${end}`, 405],
      [`GET /health/live HTTP/1.1\r\nx-${mark}: ${mark.repeat(9_000)}\r\n${end}`, 431],
    ];
    for (const [bytes, status] of raw) {
      const answer = await client.raw("invalid HTTP", services().well.url, bytes);
      expect([bytes, answer.status]).toEqual([bytes, status]);
    }
  });
}
