import { describe, expect, it } from "vitest";
import { bypassesProxy, environmentProxy } from "./environment-proxy.ts";

const server = new URL("https://api.example.com:6443");

describe("the proxy of the environment", () => {
  it("is HTTPS_PROXY for an https server and HTTP_PROXY for an http one", () => {
    const env = { HTTPS_PROXY: "http://secure:1", HTTP_PROXY: "http://plain:2" };
    expect(environmentProxy(server, env)).toEqual({ url: "http://secure:1", origin: "HTTPS_PROXY" });
    expect(environmentProxy(new URL("http://api.example.com"), env)?.url).toBe("http://plain:2");
  });

  it("may be written in lower case, and upper case wins", () => {
    expect(environmentProxy(server, { https_proxy: "http://a" })).toEqual({ url: "http://a", origin: "https_proxy" });
    expect(environmentProxy(server, { https_proxy: "http://a", HTTPS_PROXY: "http://b" })?.url).toBe("http://b");
  });

  it("is http when it has no scheme", () => {
    expect(environmentProxy(server, { HTTPS_PROXY: "proxy:3128" })?.url).toBe("http://proxy:3128");
  });

  it("is not used where NO_PROXY covers the server", () => {
    expect(environmentProxy(server, { HTTPS_PROXY: "http://a", NO_PROXY: "example.com" })).toBeUndefined();
    expect(environmentProxy(server, { HTTPS_PROXY: "http://a", no_proxy: "example.com" })).toBeUndefined();
  });

  it.each(["https://localhost:6443", "https://127.0.0.1:6443", "https://127.9.9.9", "https://[::1]:6443"])(
    "is never used for this machine itself: %s",
    (url) => {
      expect(environmentProxy(new URL(url), { HTTPS_PROXY: "http://a" })).toBeUndefined();
    },
  );
});

describe("NO_PROXY", () => {
  it.each([
    ["https://api.example.com", "*"],
    ["https://api.example.com", "example.com"],
    ["https://example.com", "example.com"],
    ["https://api.example.com", ".example.com"],
    ["https://api.example.com", "*.example.com"],
    ["https://API.example.com", " Example.COM "],
    ["https://api.example.com", "other.org, example.com"],
    ["https://api.example.com:6443", "example.com:6443"],
    ["https://api.example.com", "example.com:443"],
    ["https://10.1.2.3:6443", "10.0.0.0/8"],
    ["https://10.1.2.3:6443", "10.1.2.3"],
    ["https://10.1.2.3:6443", "10.1.2.3:6443"],
    ["https://[fd00::1]:6443", "fd00::/8"],
    ["https://[fd00::1]:6443", "fd00:0:0::1"],
    ["https://[fd00::1]:6443", "[fd00::1]:6443"],
  ])("covers %s by %s", (url, rule) => {
    expect(bypassesProxy(new URL(url), rule)).toBe(true);
  });

  it.each([
    ["https://api.example.com", ""],
    ["https://api.example.com", ","],
    ["https://example.com", ".example.com"],
    ["https://example.com", "*.example.com"],
    ["https://notexample.com", "example.com"],
    ["https://api.example.com:6443", "example.com:443"],
    ["https://11.1.2.3", "10.0.0.0/8"],
    ["https://10.1.2.3", "10.0.0.0/99"],
    ["https://10.1.2.3", "10.0.0.0/"],
    ["https://api.example.com", "10.0.0.0/8"],
    ["https://[fd00::1]", "10.0.0.0/8"],
  ])("does not cover %s by %j", (url, rule) => {
    expect(bypassesProxy(new URL(url), rule)).toBe(false);
  });
});
