import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { commands } from "../commands/index.ts";
import { imageName, ownCommand, ownImage, ownImages } from "./own-image.ts";

const folder = mkdtempSync(join(tmpdir(), "own-image-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("an image", () => {
  it.each([
    ["stowage:latest", "stowage"],
    ["localhost:5000/team/stowage@sha256:00ff", "stowage"],
    ["quay.io/openshift/origin-kube-rbac-proxy:latest", "kube-rbac-proxy"],
    ["registry.k8s.io/sig-storage/csi-provisioner:v6.0.0", "csi-external-provisioner"],
    ["busybox", "busybox"],
  ])("%s is %s", (image, name) => {
    expect(imageName(image)).toBe(name);
  });

  it("of an original is a command of ours", () => {
    const known = commands.map((command) => command.name);
    const originals = Object.values(ownImages).filter((words) => words.length > 0);
    expect(originals.map((words) => words.join(" ")).filter((name) => !known.includes(name))).toEqual([]);
    expect(ownCommand("example.org/csi-attacher:v1")).toEqual(["sidecar", "attacher"]);
  });

  it("that is nobody's we know is not ours", () => {
    expect(ownCommand("busybox")).toBeUndefined();
    expect(ownCommand("constructor")).toBeUndefined();
  });
});

describe("what runs in place of our own image", () => {
  const mainPath = join(folder, "main.cjs");
  const program = {
    nodePath: process.execPath,
    flags: ["--expose-gc"],
    mainPath,
    launcherFolder: "/launcher",
    env: {},
  };

  it("is the mock driver for a simulated cloud's own, with what that cloud has", () => {
    writeFileSync(mainPath, "");
    const drivers = { "gcp-pd-csi-driver": { driverName: "pd.csi.storage.gke.io" } };
    const image = ownImage(program, { drivers, folder: "/cloud", kubeletOf: (name) => `/nodes/${name}` });
    const container = {
      name: "csi-driver",
      image: "quay.io/openshift/origin-gcp-pd-csi-driver:latest",
      args: ["--v=2"],
    };
    const found = image(container, ["127.64.0.1"], "node-1");
    expect(found?.instead).toEqual(expect.arrayContaining(["mock", "--driver-name=pd.csi.storage.gke.io"]));
    expect(found?.files).toContainEqual({
      hostPath: "/cloud/gcp-pd-csi-driver",
      containerPath: "/stowage/cloud",
      isWritable: true,
    });
    expect(ownImage(program)(container, [], "node-1")).toBeUndefined();
  });

  it("has the volumes of Pods where the driver itself has them mounted by another", () => {
    writeFileSync(mainPath, "");
    const drivers = { "csi-driver-manila": { driverName: "manila.csi.openstack.org" } };
    const image = ownImage(program, { drivers, folder: "/cloud", kubeletOf: (name) => `/nodes/${name}` });
    const pods = { hostPath: "/nodes/node-1/pods", containerPath: "/var/lib/kubelet/pods", isWritable: true };
    const name = "quay.io/openshift/origin-csi-driver-manila:latest";
    const forwards = { name: "fwd-plugin-dir", mountPath: "/var/lib/kubelet/plugins/csi-nfsplugin" };
    expect(image({ name: "csi-driver", image: name, volumeMounts: [forwards] }, [], "node-1")?.files).toContainEqual(
      pods,
    );
    expect(image({ name: "csi-driver", image: name }, [], "node-1")?.files).not.toContainEqual(pods);
  });

  it.each([
    ["quay.io/openshift/origin-csi-livenessprobe:latest", 0],
    ["registry.k8s.io/sig-storage/csi-attacher:v4.8.0", 0],
    ["quay.io/openshift/origin-kube-rbac-proxy:latest", 65_532],
  ])("of %s is user %i, as the original's image has it", (image, user) => {
    writeFileSync(mainPath, "");
    expect(ownImage(program)({ name: "container", image }, [], "node-1")).toMatchObject({ user });
  });

  it("is this very program, at the address of its Pod, as nobody unless it is privileged", () => {
    writeFileSync(mainPath, "");
    const image = ownImage(program);
    expect(image({ name: "operator", image: "stowage:latest" }, ["127.64.0.1"], "node-1")).toMatchObject({
      command: ["stowage"],
      env: {
        STOWAGE_LOOPBACK: "127.64.0.1",
        STOWAGE_NODE: "/stowage/node",
        STOWAGE_NODE_FLAGS: "--expose-gc",
        STOWAGE_MAIN: "/stowage/program/main.cjs",
      },
      user: 65_532,
      files: expect.arrayContaining([{ hostPath: folder, containerPath: "/stowage/program" }]) as unknown,
    });
    const driver = { name: "driver", image: "stowage:latest", securityContext: { privileged: true } };
    expect(image(driver, [], "node-1")).toMatchObject({ user: 0 });
    expect(image({ name: "web", image: "nginx" }, [], "node-1")).toBeUndefined();
  });
});
