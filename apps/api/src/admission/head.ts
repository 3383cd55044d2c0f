import type { IncomingMessage } from "node:http";
import { platformHeader } from "@cardbridge/domain";
import { addressOf } from "../http/address.ts";
import { pathOf } from "../http/paths.ts";

/** What the gates read of a request. */
export interface Head {
  method: string;
  /** The request target: path and query. */
  target: string;
  path: string;
  authorization: string | undefined;
  /** The platform that the request names. */
  platform: string | undefined;
  /** The remote address; null without a socket. */
  address: string | null;
}

export function headOf({ method = "", url: target = "", headers, socket }: IncomingMessage): Head {
  return {
    ...{ method, target, path: pathOf(target) },
    authorization: headers.authorization,
    platform: headers[platformHeader.toLowerCase()]?.toString(),
    address: addressOf(socket),
  };
}
