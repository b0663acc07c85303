import { expect, it } from "vitest";
import { parseListenAddress } from "./listen-address.ts";
import { tlsOptions } from "./tls-options.ts";

it("knows versions and ciphers by the names that Go has for them", () => {
  const suites = ["TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "TLS_AES_128_GCM_SHA256"];
  expect(tlsOptions("VersionTLS12", [...suites, "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305"])).toEqual({
    minVersion: "TLSv1.2",
    ciphers: "ECDHE-RSA-AES128-GCM-SHA256:TLS_AES_128_GCM_SHA256:ECDHE-RSA-CHACHA20-POLY1305",
  });
  expect(tlsOptions("VersionTLS11", ["TLS_RSA_WITH_AES_128_CBC_SHA"])).toEqual({
    minVersion: "TLSv1.1",
    ciphers: "AES128-SHA:@SECLEVEL=0",
  });
});

it.each([
  ["TLSv1.2", [], /--tls-min-version: TLSv1.2 is none of VersionTLS10, /],
  ["VersionTLS12", ["AES128-SHA"], /--tls-cipher-suites: "AES128-SHA" is not known/],
  ["VersionTLS12", ["constructor"], /is not known/],
])("refuses %s with %j", (version, suites, message) => {
  expect(() => tlsOptions(version, suites)).toThrow(message);
});

it.each([
  ["0.0.0.0:9202", { host: "0.0.0.0", port: 9202 }],
  [":9202", { port: 9202 }],
  ["[::1]:0", { host: "::1", port: 0 }],
  ["localhost:80", { host: "localhost", port: 80 }],
])("reads the address %s", (text, expected) => {
  expect(parseListenAddress("--secure-listen-address", text)).toEqual(expected);
});

it.each(["9202", "host", "host:", "host:99999", "::1:80", "a:b:80"])("refuses the address %s", (text) => {
  expect(() => parseListenAddress("--secure-listen-address", text)).toThrow(/is not of the form HOST:PORT/);
});
