import { expect, it } from "vitest";
import { onOwnLoopback } from "./own-loopback.ts";

it.each([
  ["--listen=127.0.0.1:8080", "--listen=127.64.0.1:8080"],
  ["--secure-listen-address=0.0.0.0:8443", "--secure-listen-address=127.64.0.1:8443"],
  ["--upstream=http://127.0.0.1:8080/", "--upstream=http://127.64.0.1:8080/"],
  ["--upstream=https://localhost:8080", "--upstream=https://127.64.0.1:8080"],
  ["-http-endpoint=:8080", "-http-endpoint=127.64.0.1:8080"],
  ["--health-port=10301", "--http-endpoint=127.64.0.1:10301"],
  ["--listen=[::]:8080", "--listen=127.64.0.1:8080"],
  ["--listen=10.0.0.1:8080", "--listen=10.0.0.1:8080"],
  ["--upstream=http://10.127.0.0.1:80/", "--upstream=http://10.127.0.0.1:80/"],
  ["--endpoint=unix:///csi/csi.sock", "--endpoint=unix:///csi/csi.sock"],
  ["--image=stowage:1", "--image=stowage:1"],
  ["sidecar", "sidecar"],
])("%s is %s where the network is shared", (word, own) => {
  expect(onOwnLoopback([word], "127.64.0.1")).toEqual([own]);
  expect(onOwnLoopback([word], undefined)).toEqual([word]);
});
