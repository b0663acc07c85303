import { expect, it } from "vitest";
import { clusterCSIDriverNames, isClusterCSIDriverName } from "./csi-driver-names.ts";

it.each([...clusterCSIDriverNames])("knows %s", (name) => {
  expect(isClusterCSIDriverName(name)).toBe(true);
});

it.each([
  "rook-ceph.rbd.csi.ceph.com",
  "openshift-storage.cephfs.csi.ceph.com",
  "a.b.nfs.csi.ceph.com",
  "0.nvmeof.csi.ceph.com",
])("knows %s, a driver of Ceph with the namespace of its operator before", (name) => {
  expect(isClusterCSIDriverName(name)).toBe(true);
});

it.each([
  "",
  "cluster",
  "hostpath.csi.k8s.io",
  "csi.oVirt.org",
  "xebs.csi.aws.com",
  "ebs.csi.aws.com.example",
  "rook.ebs.csi.aws.com",
  "rookrbd.csi.ceph.com",
  "-rook.rbd.csi.ceph.com",
  "rook-.rbd.csi.ceph.com",
  ".rbd.csi.ceph.com",
  "Rook.rbd.csi.ceph.com",
  "rook.rgw.csi.ceph.com",
  "rook.rbd.csi.ceph.com\nx",
])("does not know %j", (name) => {
  expect(isClusterCSIDriverName(name)).toBe(false);
});
