/** A client with the cookies of one host, as a browser's page of the console. */
export class Browser {
  readonly origin: string;
  readonly cookies = new Map<string, string>();
  /** The Set-Cookie headers of all responses. */
  readonly setCookies: string[] = [];

  constructor(origin: string) {
    this.origin = origin;
  }

  /** Requests a path or an address, without following redirects. */
  async go(address: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.cookies.size > 0) {
      headers.set("cookie", [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    }
    const response = await fetch(new URL(address, this.origin), { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    return response;
  }

  /** A call of the console's own script. */
  api(path: string, init: RequestInit = {}): Promise<Response> {
    const isWrite = init.method !== undefined && init.method !== "GET";
    return this.go(path, {
      ...init,
      headers: {
        "sec-fetch-site": "same-origin",
        "x-cardbridge-console": "1",
        ...(isWrite ? { origin: this.origin, "content-type": "application/json" } : {}),
        ...(init.headers as Record<string, string>),
      },
    });
  }

  /** Follows redirects until the callback. Returns its address. */
  async choose(person: string, path = "/auth/sign-in"): Promise<string> {
    let next = await this.#redirectOf(path);
    next = await this.#redirectOf(next);
    const page = await this.go(next);
    const action = /action="([^"]+)"/.exec(await page.text())?.[1] ?? "";
    next = await this.#redirectOf(action, { method: "POST", body: new URLSearchParams({ person }) });
    return this.#redirectOf(next);
  }

  /** Signs in, and returns where the console leads. */
  async signIn(person: string, path?: string): Promise<string> {
    return this.#redirectOf(await this.choose(person, path));
  }

  get session(): string | undefined {
    return this.cookies.get("cardbridge-console");
  }

  async #redirectOf(address: string, init?: RequestInit): Promise<string> {
    const response = await this.go(address, init);
    const location = response.headers.get("location");
    if (location === null) throw new Error(`No redirect (${response.status}): ${await response.text()}`);
    return location;
  }

  #keep(line: string): void {
    this.setCookies.push(line);
    const [pair = "", ...attributes] = line.split(/; */);
    const at = pair.indexOf("=");
    const name = pair.slice(0, at);
    const value = pair.slice(at + 1);
    const isGone =
      value === "" || attributes.some((each) => /^max-age=0$|^expires=Thu, 01 Jan 1970/i.test(each));
    if (isGone) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
