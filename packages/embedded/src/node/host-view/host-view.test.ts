import type { CsiClient } from "@stowage/csi";
import { describe, expect, it } from "vitest";
import { driverInPod } from "./driver-view.ts";
import { HostView } from "./host-view.ts";

const view = new HostView({ "/var/lib/kubelet": "/state/nodes/a", "/var/lib/stowage": "/state/nodes/a/disk" });

describe("what Pods of a node call a path", () => {
  it.each([
    ["/var/lib/kubelet", "/state/nodes/a"],
    ["/var/lib/kubelet/pods/u/volumes", "/state/nodes/a/pods/u/volumes"],
    ["/var/lib/kubelet/", "/state/nodes/a/"],
    ["/var/lib/stowage/local", "/state/nodes/a/disk/local"],
    ["/var/lib/kubelets", "/var/lib/kubelets"],
    ["/dev", "/dev"],
  ])("%s is %s on the machine", (named, real) => {
    expect(view.onMachine(named)).toBe(real);
  });

  it("is found again from where it is", () => {
    expect(view.inPods("/state/nodes/a/pods/u")).toBe("/var/lib/kubelet/pods/u");
    expect(view.inPods("/state/nodes/ab")).toBe("/state/nodes/ab");
    expect(new HostView().inPods("/state/nodes/a")).toBe("/state/nodes/a");
  });
});

describe("a driver that lives in a Pod", () => {
  const asked: unknown[] = [];
  const call = async (request: object) => void asked.push(request);
  const calls = { nodePublishVolume: call, nodeUnstageVolume: call };
  const client = { node: calls, endpoint: "/csi.sock", isConnected: true } as unknown as CsiClient;
  const driver = driverInPod(client, (path) => view.inPods(path));

  it("is asked for paths as it sees them, and for everything else as it was said", async () => {
    const volumeId = "v";
    const options = { volumeId, volumeContext: { path: "/state/nodes/a/x" } };
    await driver.node.nodePublishVolume({
      ...options,
      targetPath: "/state/nodes/a/t",
      stagingTargetPath: "/state/nodes/a/s",
    });
    await driver.node.nodeUnstageVolume({ volumeId, stagingTargetPath: "" });
    expect(asked).toEqual([
      { ...options, targetPath: "/var/lib/kubelet/t", stagingTargetPath: "/var/lib/kubelet/s" },
      { volumeId, stagingTargetPath: "" },
    ]);
  });

  it("is the same driver otherwise", () => {
    expect(driver.endpoint).toBe("/csi.sock");
    expect(driver.isConnected).toBe(true);
  });
});
