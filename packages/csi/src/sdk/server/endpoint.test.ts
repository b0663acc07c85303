import { expect, test } from "vitest";
import { dialTarget, endpointText, parseEndpoint } from "./endpoint.ts";

test.each([
  ["unix:///run/csi/socket", "unix:///run/csi/socket", "unix:///run/csi/socket"],
  ["unix:/run/csi/socket", "unix:///run/csi/socket", "unix:///run/csi/socket"],
  ["/run/csi/socket", "unix:///run/csi/socket", "unix:///run/csi/socket"],
  ["tcp://127.0.0.1:10000", "127.0.0.1:10000", "tcp://127.0.0.1:10000"],
  ["tcp://[::1]:10000", "[::1]:10000", "tcp://[::1]:10000"],
])("%s is understood", (text, target, written) => {
  const endpoint = parseEndpoint(text);
  expect([dialTarget(endpoint), endpointText(endpoint)]).toEqual([target, written]);
});

test.each([
  "",
  "csi.sock",
  "unix://csi.sock",
  "tcp://0.0.0.0:1",
  "tcp://example.com:1",
  "tcp://127.0.0.1",
  "http://a:1",
])("%j is refused", (text) => {
  expect(() => parseEndpoint(text)).toThrow(expect.objectContaining({ code: "CSI_ENDPOINT_INVALID" }));
});

test("a path may be as long as paths may be, and one that is longer is told so", () => {
  const path = `${`/${"x".repeat(99)}`.repeat(40)}/csi.sock`;
  expect(parseEndpoint(path)).toEqual({ kind: "unix", path });
  expect(() => parseEndpoint(`/${"y".repeat(99)}${path}`)).toThrow("at most 4095 bytes, this one has 4109");
});
