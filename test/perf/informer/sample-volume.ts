/** A PersistentVolume as a CSI provisioner, the attacher and kubelet leave it: about 2.2 KiB of JSON, half of it managedFields. */
export function sampleVolume(index: number, resourceVersion: string): object {
  const id = index.toString().padStart(6, "0");
  return {
    kind: "PersistentVolume",
    apiVersion: "v1",
    metadata: {
      name: `pvc-0b5c0d6e-3f5a-4b39-9d5c-2f4f5d${id}`,
      uid: `c0a1b2c3-d4e5-46f7-88a9-b0c1d2${id}`,
      resourceVersion,
      creationTimestamp: "2026-01-31T15:04:05Z",
      annotations: {
        "pv.kubernetes.io/provisioned-by": "cinder.csi.openstack.org",
        "volume.kubernetes.io/provisioner-deletion-secret-name": "",
        "volume.kubernetes.io/provisioner-deletion-secret-namespace": "",
      },
      finalizers: ["external-provisioner.volume.kubernetes.io/finalizer", "kubernetes.io/pv-protection"],
      managedFields: managedFields(),
    },
    spec: {
      capacity: { storage: "10Gi" },
      csi: {
        driver: "cinder.csi.openstack.org",
        volumeHandle: `5f3a9c1e-7b2d-4e6f-8a1b-9c0d1e${id}`,
        fsType: "ext4",
        volumeAttributes: {
          "storage.kubernetes.io/csiProvisionerIdentity": "1769871845000-8081-cinder.csi.openstack.org",
        },
      },
      accessModes: ["ReadWriteOnce"],
      claimRef: {
        kind: "PersistentVolumeClaim",
        namespace: `team-${index % 50}`,
        name: `data-${id}`,
        uid: `0b5c0d6e-3f5a-4b39-9d5c-2f4f5d${id}`,
        apiVersion: "v1",
        resourceVersion: "4711",
      },
      persistentVolumeReclaimPolicy: "Delete",
      storageClassName: "standard-csi",
      volumeMode: "Filesystem",
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: "topology.cinder.csi.openstack.org/zone", operator: "In", values: ["nova"] }] },
          ],
        },
      },
    },
    status: { phase: "Bound", lastPhaseTransitionTime: "2026-01-31T15:04:06Z" },
  };
}

function managedFields(): object[] {
  const entry = (manager: string, fieldsV1: object, subresource?: string) => ({
    manager,
    operation: "Update",
    apiVersion: "v1",
    time: "2026-01-31T15:04:05Z",
    fieldsType: "FieldsV1",
    fieldsV1,
    subresource,
  });
  return [
    entry("csi-provisioner", {
      "f:metadata": {
        "f:annotations": {
          ".": {},
          "f:pv.kubernetes.io/provisioned-by": {},
          "f:volume.kubernetes.io/provisioner-deletion-secret-name": {},
          "f:volume.kubernetes.io/provisioner-deletion-secret-namespace": {},
        },
        "f:finalizers": { ".": {}, 'v:"external-provisioner.volume.kubernetes.io/finalizer"': {} },
      },
      "f:spec": {
        "f:accessModes": {},
        "f:capacity": { ".": {}, "f:storage": {} },
        "f:claimRef": { ".": {}, "f:apiVersion": {}, "f:kind": {}, "f:name": {}, "f:namespace": {}, "f:uid": {} },
        "f:csi": {
          ".": {},
          "f:driver": {},
          "f:fsType": {},
          "f:volumeAttributes": { ".": {}, "f:storage.kubernetes.io/csiProvisionerIdentity": {} },
          "f:volumeHandle": {},
        },
        "f:nodeAffinity": { ".": {}, "f:required": {} },
        "f:persistentVolumeReclaimPolicy": {},
        "f:storageClassName": {},
        "f:volumeMode": {},
      },
    }),
    entry("kube-controller-manager", { "f:status": { "f:phase": {} } }, "status"),
  ];
}
