import { expect, it } from "vitest";
import type { Canary } from "./canary.ts";
import type { Call } from "./client.ts";

/** Sends marks in requests with unknown targets, and in invalid HTTP. */
export function sendRequests({ services, marks, client, call }: Canary): void {
  it("unknown and invalid targets", async () => {
    const mark = marks.next();
    const path = (text: string) => text.replaceAll("MARK", mark);
    const found: [Call, number][] = [
      [{ path: path("/MARK?MARK=MARK") }, 404],
      [{ path: path("/openapi/v1/MARK/MARK@example.com") }, 404],
      [{ path: path("/openapi/v1/users/kyc/MARK/MARK") }, 404],
      [{ path: path("/trpc/MARK") }, 404],
      [{ path: path("/trpc/MARK?input=MARK") }, 400],
      [{ path: path("/trpc/cards.list?input=MARK") }, 400],
      [{ path: path("/trpc/cards.list?batch=1&MARK=MARK") }, 400],
      [
        { path: path("/trpc/cards.list,MARK?batch=1&input=%7B%220%22:%7B%22memberId%22:%22MARK%22%7D%7D") },
        404,
      ],
      [{ path: path(`/trpc/MARK${",MARK".repeat(20)}?batch=1`) }, 400],
      [{ path: path("/trpc/MARK,MARK?batch=1&input=%22MARK%22") }, 400],
      [{ path: path("/trpc/cards.list?connectionParams=MARK") }, 400],
      [{ path: path("/trpc/MARK%E0%A4%A?MARK") }, 400],
      [{ path: path("/openapi/v1/cards/list?memberId=MARK%E0%A4%A") }, 400],
      [{ path: path("/openapi/v1/cards/list?memberId=MARK&memberId=MARK") }, 400],
      [{ path: path("/openapi/v1/cards/list?memberId=MARK&email=MARK@example.com") }, 400],
      [{ path: path("/openapi/v1/cards/list?memberId=MARK&MARK=MARK") }, 400],
      [{ path: path("/trpc/cards.list?input=%7B%22memberId%22:%22MARK%22,%22MARK%22:%22MARK%22%7D") }, 400],
      [{ path: path("/openapi/v1/cards/list?memberId=MARK"), method: "DELETE" }, 405],
      [{ path: path("/openapi/v1/users/kyc/MARK"), method: "PUT", body: mark }, 405],
      [{ path: path("/trpc/kyc.submit?input=MARK") }, 405],
      [{ path: path(`/openapi/v1/cards/list?memberId=${"MARK".repeat(600)}`) }, 414],
      [{ path: path(`/trpc/cards.list?input=${"MARK".repeat(600)}`) }, 414],
      [{ path: path("/docs/MARK") }, 404],
      [{ path: path("/health/MARK") }, 404],
    ];
    for (const [request, status] of found)
      expect([request, await call("a target", request)]).toEqual([request, status]);
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
      [`GET /health/live HTTP/1.1\r\nx-${mark}: ${mark.repeat(1_200)}\r\n${end}`, 431],
      [`GET /health/live HTTP/1.1\r\nx-${mark}: ${mark.repeat(9_000)}\r\n${end}`, 431],
    ];
    for (const [bytes, status] of raw)
      expect([bytes, (await client.raw("invalid HTTP", services().well.url, bytes)).status]).toEqual([
        bytes,
        status,
      ]);
  });
}
