import { describe, expect, it } from "vitest";
import { parseTarget } from "../src/target.ts";

describe("the target of a URL", () => {
  it.each([
    ["https://hooks.example.com/a?b=c#d", "https://hooks.example.com", "/a?b=c"],
    ["HTTPS://HOOKS.example.com:443", "https://hooks.example.com", "/"],
    ["https://hooks.example.com.:8443/a", "https://hooks.example.com:8443", "/a"],
    ["https://0x7f.1/", "https://127.0.0.1", "/"],
    ["https://2130706433/", "https://127.0.0.1", "/"],
    ["https://0177.0.0.1/", "https://127.0.0.1", "/"],
    ["https://127.0.0.1./", "https://127.0.0.1", "/"],
    ["https://①②⑦.0.0.1/", "https://127.0.0.1", "/"],
    ["https://[::FFFF:127.0.0.1]/", "https://[::ffff:7f00:1]", "/"],
    ["https://hooks.example.com\\@127.0.0.1/", "https://hooks.example.com", "/@127.0.0.1/"],
  ])("%s is %s", (url, origin, path) => {
    expect(parseTarget(url, false)).toEqual({ origin, path });
  });

  it.each([
    "http://hooks.example.com/",
    "https://user@hooks.example.com/",
    "https://:password@hooks.example.com/",
    "https://hooks.example.com@127.0.0.1/",
    "https://[fe80::1%25eth0]/",
    "https://256.256.256.256/",
    "ftp://hooks.example.com/",
    "file:///etc/passwd",
    "hooks.example.com",
    "",
  ])("%s is undefined", (url) => {
    expect(parseTarget(url, false)).toBeUndefined();
  });

  it("may be http for development", () => {
    expect(parseTarget("http://localhost:8080/", true)).toEqual({
      origin: "http://localhost:8080",
      path: "/",
    });
  });
});
