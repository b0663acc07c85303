import { expect, it } from "vitest";
import { rpcFailureIn } from "./rpc-failure.ts";

it("finds the driver's answer in the words around it", () => {
  const text =
    'failed to provision volume with StorageClass "x": rpc error: code = ResourceExhausted desc = pool p1: no room';
  expect(rpcFailureIn(text)).toEqual({ code: "ResourceExhausted", message: "pool p1: no room" });
});

it.each([undefined, "", "storageclass not found", "rpc error: something"])("finds none in %j", (text) => {
  expect(rpcFailureIn(text)).toBeUndefined();
});
