import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { personHeader, platformHeader } from "@cardbridge/domain";
import { pathOf } from "../config/paths.ts";

/** The parts of a request's head that the gates read. */
export interface Head {
  method: string;
  /** The request target: path and query. */
  target: string;
  path: string;
  authorization: string | undefined;
  /** The platform that the request names. */
  platform: string | undefined;
  /** The access token of the person for whom an internal app calls. */
  person: string | undefined;
  /** The remote address; null without a socket. */
  address: string | null;
}

export function headOf({ method = "", url: target = "", headers, socket }: IncomingMessage): Head {
  return {
    method,
    target,
    path: pathOf(target),
    authorization: headers.authorization,
    platform: headers[platformHeader.toLowerCase()]?.toString(),
    person: headers[personHeader.toLowerCase()]?.toString(),
    address: addressOf(socket),
  };
}

/**
 * The remote address; null without a socket. Behind a proxy, it is the proxy's address, because no header is trusted.
 */
export function addressOf(socket: Pick<Socket, "remoteAddress"> | undefined): string | null {
  // An IPv6 socket reports an IPv4 address in its mapped form.
  return socket?.remoteAddress?.replace(/^::ffff:(?=[\d.]+$)/, "") ?? null;
}

/** Whether a method only reads. */
export const isReading = (method: string): boolean => method === "GET" || method === "HEAD";
