import { describe, expect, it } from "vitest";
import { missesPods, standInCommand } from "./stand-in-driver.ts";

const container = {
  name: "csi-driver",
  image: "quay.io/openshift/origin-aws-ebs-csi-driver:latest",
  args: ["controller", "--endpoint=$(CSI_ENDPOINT)", "--http-endpoint=localhost:8201", "--batching=true"],
  env: [{ name: "CSI_ENDPOINT", value: "unix:///var/lib/csi/csi.sock" }],
};
const ebs = {
  driverName: "ebs.csi.aws.com",
  abilities: ["attach", "expand", "snapshots"] as const,
  topology: { "topology.ebs.csi.aws.com/zone": "a" },
};

describe("what stands in for a cloud's driver", () => {
  it("is the mock driver under its name, where its sidecars and proxies look for it", () => {
    expect(standInCommand(ebs, container, "node-2")).toEqual([
      "stowage",
      "driver",
      "mock",
      "--driver-name=ebs.csi.aws.com",
      "--endpoint=unix:///var/lib/csi/csi.sock",
      "--node-id=node-2",
      "--services=controller",
      "--state-dir=/stowage/cloud",
      "--attachable-nodes=any",
      "--topology=topology.ebs.csi.aws.com/zone=a",
      "--abilities=expand,snapshots",
      "--http-endpoint=localhost:8201",
    ]);
  });

  it("mounts on nodes, where it has something of kubelet's; a controller may be privileged too", () => {
    const privileged = { ...container, securityContext: { privileged: true } };
    expect(standInCommand(ebs, privileged, "node-1")).toContain("--services=controller");
    const volumeMounts = [{ name: "kubelet-dir", mountPath: "/var/lib/kubelet" }];
    expect(standInCommand(ebs, { ...privileged, volumeMounts }, "node-1")).toContain("--services=node");
  });

  it("is given the volumes of Pods where the driver itself leaves them to another", () => {
    const mounting = (...paths: string[]) =>
      missesPods({ name: "csi-driver", volumeMounts: paths.map((mountPath) => ({ name: "x", mountPath })) });
    expect(mounting("/csi", "/var/lib/kubelet/plugins/csi-nfsplugin")).toBe(true);
    expect(mounting("/plugin", "/var/lib/kubelet/pods")).toBe(false);
    expect(mounting("/csi", "/var/lib/kubelet")).toBe(false);
    expect(mounting("/csi", "/var/lib/kubelet/")).toBe(false);
    expect(mounting("/csi")).toBe(false);
  });

  it("leaves a script of the driver's Pod as it is", () => {
    const waiting = { name: "wait-for-nfs-plugin", command: ["sh", "-c", "until [ -S /csi.sock ]; do sleep 2; done"] };
    expect(standInCommand(ebs, waiting, "node-1")).toBeUndefined();
  });

  it.each(["unix:/csi/csi.sock", "unix://csi/csi.sock", "unix:///csi/csi.sock"])("finds its socket by %s", (value) => {
    const env = [{ name: "CSI_ENDPOINT", value }];
    expect(standInCommand(ebs, { ...container, env }, "node-1")).toContain("--endpoint=unix:///csi/csi.sock");
  });

  it("finds its socket by a flag, unless that names a variable", () => {
    const args = (word: string) => standInCommand(ebs, { name: "csi-driver-nfs", args: [word] }, "node-1");
    expect(args("--endpoint=unix://csi/csi-nfs.sock")).toContain("--endpoint=unix:///csi/csi-nfs.sock");
    expect(args("--endpoint=$(CSI_ENDPOINT)")).toContain("--endpoint=unix:///stowage/cloud/idle-node-1.sock");
  });

  it("says that it is well in place of another program of the driver's image", () => {
    const ports = [
      { name: "nodes-metrics", containerPort: 8081 },
      { name: "nodes-healthz", containerPort: 8082 },
    ];
    const words = standInCommand(ebs, { name: "node-update-controller", ports }, "node-1");
    expect(words).toContain("--endpoint=unix:///stowage/cloud/idle-node-1.sock");
    expect(words).toContain("--http-endpoint=0.0.0.0:8082");
  });

  it("attaches nothing for a network's file system, and does nothing for what is no driver", () => {
    const file = { driverName: "file.csi.azure.com", abilities: ["clones"] as const };
    const words = standInCommand(file, container, "node-1");
    expect(words).toEqual(expect.arrayContaining(["--attach=off", "--abilities=clones"]));
    expect(standInCommand({ driverName: undefined }, container, "node-1")).toEqual(["true"]);
    expect(standInCommand({ driverName: undefined, runsOn: true }, container, "node-1")?.[0]).toBe("sh");
  });
});
