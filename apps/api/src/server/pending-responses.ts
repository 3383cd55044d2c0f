import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Tells which answers each of a server's sockets still owes, in the order of their requests. */
export function owedAnswers(server: Server): (socket: Socket) => ServerResponse[] {
  const owed = new WeakMap<Socket, Set<ServerResponse>>();
  const note = ({ socket }: IncomingMessage, answer: ServerResponse) => {
    const answers = owed.get(socket) ?? new Set();
    owed.set(socket, answers.add(answer));
    answer.once("close", () => answers.delete(answer));
  };
  server.on("request", note);
  server.on("checkExpectation", note);
  return (socket) => [...(owed.get(socket) ?? [])];
}
