import type { ClusterRole, PolicyRule } from "@stowage/machinery";

function rule(group: string, resources: readonly string[], verbs: readonly string[]): PolicyRule {
  return { apiGroups: [group], resources: [...resources], verbs: [...verbs] };
}

const look = ["get", "list", "watch"];
const tell = rule("", ["events"], ["list", "watch", "create", "update", "patch"]);
const snapshots = "snapshot.storage.k8s.io";
const storage = "storage.k8s.io";

/**
 * What each sidecar's original needs, whatever driver it is beside; drivers bind their controllers to these. The names are those that
 * clusters have.
 */
const rulesByRole: Readonly<Record<string, readonly PolicyRule[]>> = {
  // Of drivers themselves. Here, so that no operator has to read Secrets of the whole cluster only to let its driver do it.
  "driver-secret-reader": [rule("", ["secrets"], ["get"])],
  "driver-secret-writer": [rule("", ["secrets"], ["get", "create"])],
  "main-attacher": [
    rule("", ["persistentvolumes"], [...look, "update", "patch"]),
    rule("", ["nodes"], look),
    rule(storage, ["csinodes"], look),
    rule(storage, ["volumeattachments"], [...look, "update", "patch"]),
    rule(storage, ["volumeattachments/status"], ["patch"]),
  ],
  "main-provisioner": [
    rule("", ["persistentvolumes"], [...look, "create", "delete", "patch"]),
    rule("", ["persistentvolumeclaims"], [...look, "update"]),
    rule(storage, ["storageclasses", "csinodes"], look),
    rule("", ["nodes"], look),
    tell,
  ],
  "main-resizer": [
    rule("", ["persistentvolumes"], [...look, "update", "patch"]),
    rule("", ["persistentvolumeclaims", "pods"], look),
    rule("", ["persistentvolumeclaims/status"], ["update", "patch"]),
    tell,
  ],
  "main-snapshotter": [
    rule("", ["persistentvolumes", "persistentvolumeclaims"], look),
    rule(storage, ["storageclasses"], look),
    rule("", ["secrets"], ["get", "list"]),
    rule(snapshots, ["volumesnapshotclasses"], look),
    rule(snapshots, ["volumesnapshotcontents"], [...look, "create", "update", "patch", "delete"]),
    rule(snapshots, ["volumesnapshotcontents/status"], ["update", "patch"]),
    rule(snapshots, ["volumesnapshots"], [...look, "update"]),
    tell,
  ],
  "provisioner-configmap-and-secret-reader": [rule("", ["configmaps"], ["get", "list"]), rule("", ["secrets"], look)],
  "provisioner-volumeattachment-reader": [rule(storage, ["volumeattachments"], look)],
  "provisioner-volumeattributesclass-reader": [rule(storage, ["volumeattributesclasses"], look)],
  "provisioner-volumesnapshot-reader": [
    rule(snapshots, ["volumesnapshots"], [...look, "update"]),
    rule(snapshots, ["volumesnapshotcontents"], ["get", "list"]),
  ],
  "resizer-storageclass-reader": [rule(storage, ["storageclasses"], look)],
  "resizer-volumeattributesclass-reader": [rule(storage, ["volumeattributesclasses"], look)],
};

export const sidecarRoles: readonly ClusterRole[] = Object.entries(rulesByRole).map(([name, rules]) => ({
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRole",
  metadata: { name: `openshift-csi-${name}-role` },
  rules: [...rules],
}));
