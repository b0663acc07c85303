import { VolumeCapability_AccessMode_Mode as Mode } from "@stowage/csi";
import { describe, expect, it } from "vitest";
import { type VolumeUse, volumeCapability } from "./csi-capability.ts";
import { CsiPaths } from "./csi-paths.ts";
import { podAttributes } from "./pod-attributes.ts";

describe("the places of a driver's volumes", () => {
  const paths = new CsiPaths("/var/lib/kubelet");

  it("are kubelet's", () => {
    expect(paths.staging("local.dev", "vol-1").path).toMatch(
      /^\/var\/lib\/kubelet\/plugins\/kubernetes\.io\/csi\/local\.dev\/[0-9a-f]{64}\/globalmount$/,
    );
    expect(paths.published("uid-1", "pvc-1")).toEqual({
      path: "/var/lib/kubelet/pods/uid-1/volumes/kubernetes.io~csi/pvc-1/mount",
      dataPath: "/var/lib/kubelet/pods/uid-1/volumes/kubernetes.io~csi/pvc-1/vol_data.json",
    });
    expect(paths.stagedDevice("pvc-1").path).toBe(
      "/var/lib/kubelet/plugins/kubernetes.io/csi/volumeDevices/staging/pvc-1",
    );
    expect(paths.publishedDevice("pvc-1", "uid-1")).toBe(
      "/var/lib/kubelet/plugins/kubernetes.io/csi/volumeDevices/publish/pvc-1/uid-1",
    );
    expect(paths.podDevice("uid-1", "pvc-1")).toBe("/var/lib/kubelet/pods/uid-1/volumeDevices/kubernetes.io~csi/pvc-1");
  });

  it("are the same for a handle wherever it is asked for, and others for another", () => {
    expect(paths.staging("d", "a").path).toBe(paths.staging("d", "a").path);
    expect(paths.staging("d", "a").path).not.toBe(paths.staging("d", "b").path);
  });
});

describe("what a driver is asked for", () => {
  const use = (more: Partial<VolumeUse>): VolumeUse => ({
    accessModes: ["ReadWriteOnce"],
    isBlock: false,
    fsType: "ext4",
    mountOptions: [],
    mountGroup: undefined,
    ...more,
  });

  it.each([
    [["ReadWriteOnce"], Mode.SINGLE_NODE_WRITER, Mode.SINGLE_NODE_MULTI_WRITER],
    [["ReadWriteOncePod"], Mode.SINGLE_NODE_WRITER, Mode.SINGLE_NODE_SINGLE_WRITER],
    [["ReadOnlyMany", "ReadWriteOnce"], Mode.MULTI_NODE_READER_ONLY, Mode.MULTI_NODE_READER_ONLY],
    [["ReadWriteMany"], Mode.MULTI_NODE_MULTI_WRITER, Mode.MULTI_NODE_MULTI_WRITER],
    [undefined, Mode.SINGLE_NODE_WRITER, Mode.SINGLE_NODE_MULTI_WRITER],
    [["Sometimes"], Mode.UNKNOWN, Mode.UNKNOWN],
  ])("of a volume with modes %j", (accessModes, plain, exact) => {
    const asked = (knowsSingleWriters: boolean) => volumeCapability(use({ accessModes }), { knowsSingleWriters });
    expect(asked(false).accessMode).toEqual({ mode: plain });
    expect(asked(true).accessMode).toEqual({ mode: exact });
  });

  it("is a file system with its options, or a device", () => {
    const asked = (more: Partial<VolumeUse>) => volumeCapability(use(more), { knowsSingleWriters: false }).accessType;
    expect(asked({ mountOptions: ["noatime"], mountGroup: 7 })).toEqual({
      case: "mount",
      value: { fsType: "ext4", mountFlags: ["noatime"], volumeMountGroup: "7" },
    });
    expect(asked({ isBlock: true })).toEqual({ case: "block", value: {} });
  });
});

it("tells a driver of the Pod", () => {
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web", namespace: "shop", uid: "u" },
    spec: { containers: [], serviceAccountName: "clerk" },
  } as const;
  expect(podAttributes({ ...pod, spec: { ...pod.spec, containers: [] } }, true)).toEqual({
    "csi.storage.k8s.io/pod.name": "web",
    "csi.storage.k8s.io/pod.namespace": "shop",
    "csi.storage.k8s.io/pod.uid": "u",
    "csi.storage.k8s.io/serviceAccount.name": "clerk",
    "csi.storage.k8s.io/ephemeral": "true",
  });
});
