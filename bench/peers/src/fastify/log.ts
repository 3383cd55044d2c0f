import { type FastifyReply, type FastifyRequest, LogController } from "fastify";

/** One line a request, without the query, which names a user. */
export class OneLine extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(_: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const { method, routeOptions } = request;
    const { statusCode: status, elapsedTime: responseTime } = reply;
    request.log.info({ method, route: routeOptions.url, status, responseTime }, "request");
  }
}
