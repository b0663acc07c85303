import type { Scene } from "../scene.ts";

const claim = (name: string, more = "") =>
  `printf '{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"${name}"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}${more}}}' | kubectl create -f -`;

const bound = `{"status":{"phase":"Bound","capacity":{"storage":"10Gi"},"accessModes":["ReadWriteOnce"]}}`;
const larger = `{"spec":{"resources":{"requests":{"storage":"20Gi"}}}}`;

/** What users of volumes type, and what they are told when they mistype. */
export const storage: Scene = {
  name: "storage",
  commands: [
    "kubectl create -f storage.yaml",
    claim("plain"),
    claim("classless", ',"storageClassName":""'),
    claim("strange", ',"storageClassName":"Not_A_Class","volumeMode":"Tape"'),
    claim("attributed", ',"volumeAttributesClassName":"silver"'),
    "kubectl get pvc",
    "kubectl get pvc plain -o jsonpath='{.spec.storageClassName} {.metadata.finalizers} {.status.phase}'",
    `kubectl patch pvc data -p '${larger}'`,
    `kubectl patch pvc data --type=merge -p '{"spec":{"volumeName":"disk-1"}}'`,
    `kubectl patch pvc data --subresource=status -p '${bound}'`,
    `kubectl patch pv disk-1 --subresource=status -p '{"status":{"phase":"Bound"}}'`,
    "kubectl get pv,pvc",
    "kubectl get pv,pvc -o wide",
    `kubectl patch pvc data -p '${larger}'`,
    `kubectl patch pvc data -p '{"spec":{"resources":{"requests":{"storage":"5Gi"}}}}'`,
    `kubectl patch pvc data -p '{"spec":{"accessModes":["ReadWriteMany"]}}'`,
    `kubectl patch pvc data -p '{"spec":{"storageClassName":"slow"}}'`,
    `kubectl patch sc fast -p '{"allowVolumeExpansion":false}'`,
    `kubectl patch pvc data -p '{"spec":{"resources":{"requests":{"storage":"30Gi"}}}}'`,
    "kubectl describe pvc data",
    `kubectl patch sc fast -p '{"provisioner":"other.example.com"}'`,
    `kubectl patch sc fast --type=merge -p '{"parameters":{"tier":"silver"}}'`,
    `kubectl patch sc fast -p '{"reclaimPolicy":"Recycle","volumeBindingMode":"Never"}'`,
    "kubectl annotate sc fast storageclass.kubernetes.io/is-default-class=false --overwrite",
    claim("without-default"),
    "kubectl get pvc without-default -o yaml",
    `kubectl patch pv disk-1 -p '{"spec":{"csi":{"volumeHandle":"handle-2"}}}'`,
    `kubectl patch pv disk-1 -p '{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}'`,
    `kubectl patch pv disk-1 -p '{"spec":{"capacity":{"storage":"much"}}}'`,
    `kubectl patch pv disk-1 -p '{"spec":{"nodeAffinity":null}}'`,
    `kubectl patch csidriver disks.example.com -p '{"spec":{"attachRequired":false}}'`,
    `kubectl patch volumeattachment attached-1 --subresource=status -p '{"status":{"attached":true,"attachmentMetadata":{"path":"/dev/a"}}}'`,
    `kubectl patch volumeattachment attached-1 -p '{"spec":{"nodeName":"worker-2"}}'`,
    "kubectl get volumeattachment attached-1 -o yaml --show-managed-fields",
    "kubectl get pv disk-1 -o yaml --show-managed-fields",
    "kubectl delete pvc plain --wait=false",
    "kubectl get pvc plain",
    "kubectl delete pv disk-1 --wait=false",
    "kubectl get pv disk-1",
    { run: "kubectl delete pvc plain", after: /deleted/u, meanwhile: [release("pvc/plain")] },
    { run: "kubectl delete pv disk-1", after: /deleted/u, meanwhile: [release("pv/disk-1")] },
    "kubectl get pvc -o custom-columns=NAME:.metadata.name,PHASE:.status.phase,SIZE:.spec.resources.requests.storage",
    "kubectl get pvc --sort-by=.metadata.name -o name",
    "kubectl delete sc fast",
    "kubectl delete volumeattachment attached-1",
    "kubectl delete csidriver disks.example.com",
  ],
};

function release(name: string): string {
  return `kubectl patch ${name} --type=merge -p '{"metadata":{"finalizers":null}}'`;
}
