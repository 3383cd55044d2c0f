import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { Provider } from "oidc-provider";
import type { NodeHandler } from "../http/serve.ts";
import { personOf } from "./people.ts";
import { signInPage, signInPageHeaders } from "./sign-in-page.ts";

const maxForm = 1_024;

/** Serves the issuer below `prefix`: its own sign-in page, and oidc-provider for all other paths. */
export function handleInteractions(provider: Provider, prefix: string, host: string): NodeHandler {
  const protocol = provider.callback();
  const page = new RegExp(`^${prefix}/interaction/([A-Za-z0-9_-]{1,64})$`);

  async function signIn(request: IncomingMessage, response: ServerResponse, uid: string): Promise<void> {
    if (request.method !== "POST") {
      await provider.interactionDetails(request, response);
      response.writeHead(200, signInPageHeaders).end(signInPage(`${prefix}/interaction/${uid}`));
      return;
    }
    if (Number(request.headers["content-length"] ?? maxForm) >= maxForm)
      throw new Error("The form is too large.");
    const person = personOf(new URLSearchParams(await text(request)).get("person"));
    if (!person) throw new Error("There is no such person.");
    const login = { accountId: person.id, remember: false, ts: Math.floor(Date.now() / 1_000) };
    await provider.interactionFinished(request, response, { login }, { mergeWithLastSubmission: false });
  }

  return (request, response) => {
    // A name that another site resolves to this machine is not this issuer.
    if (request.headers.host !== host) return refuse(response, 421);
    const path = request.url?.split("?", 1)[0] ?? "";
    const uid = page.exec(path)?.[1];
    if (uid !== undefined) {
      signIn(request, response, uid).catch(() => refuse(response, 400));
      return;
    }
    // oidc-provider finds its mount path by comparing both.
    Object.assign(request, { originalUrl: request.url, url: request.url?.slice(prefix.length) || "/" });
    void protocol(request, response);
  };
}

function refuse(response: ServerResponse, status: number): void {
  if (response.headersSent) return;
  const page = "This sign-in has expired or was already used. Open the console and sign in again.\n";
  response
    .writeHead(status, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" })
    .end(page);
}
