import { describe, expect, it } from "vitest";
import { addressRange, chooseAddress } from "./address.ts";
import { defaultKubeletFolder } from "./kubelet-folder.ts";
import { bridgeName, desiredNetwork } from "./network.ts";

describe("the lab's address", () => {
  it("is the first of the range that is free", () => {
    expect(chooseAddress(new Set(["127.0.0.1"]))).toBe("10.77.0.1");
    expect(chooseAddress(new Set(["10.77.0.1", "10.77.0.2"]))).toBe("10.77.0.3");
  });

  it("is refused when all are taken", () => {
    expect(() => chooseAddress(new Set(addressRange))).toThrow("all addresses from 10.77.0.1 to 10.77.0.9");
  });
});

it("the kubelet's folder leaves room for the sockets of drivers with long names", () => {
  const driver = "openshift-storage.cephfs.csi.ceph.com";
  for (const dir of ["/home/somebody/stowage/.lab/run", `/${"deep/".repeat(30)}run`]) {
    const socket = `${defaultKubeletFolder(dir)}/plugins_registry/${driver}-reg.sock`;
    expect(Buffer.byteLength(socket)).toBeLessThanOrEqual(107);
  }
  expect(defaultKubeletFolder("/checkout/.lab/run")).toBe("/checkout/.lab/run/kubelet");
});

it("each lab has a bridge of its own, whose name Linux accepts", () => {
  expect(bridgeName("/a")).not.toBe(bridgeName("/b"));
  expect(bridgeName("/a").length).toBeLessThanOrEqual(15);
  expect(desiredNetwork("/a").plugins[0]).toMatchObject({ bridge: bridgeName("/a") });
});
