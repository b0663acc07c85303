/**
 * What the guides speak of when something is wrong: a claim whose class names a Secret that nobody has made, and the Pod that waits for it.
 */
export function shopScene(driver: string): string {
  return `
apiVersion: v1
kind: Namespace
metadata: { name: shop }
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: fast }
provisioner: ${driver}
parameters:
  csi.storage.k8s.io/provisioner-secret-name: \${pvc.name}-key
  csi.storage.k8s.io/provisioner-secret-namespace: \${pvc.namespace}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data, namespace: shop }
spec:
  storageClassName: fast
  accessModes: [ReadWriteOnce]
  resources: { requests: { storage: 1Gi } }
---
apiVersion: v1
kind: Pod
metadata: { name: web-0, namespace: shop }
spec:
  automountServiceAccountToken: false
  containers: [{ name: web, image: busybox, command: [sleep, infinity], volumeMounts: [{ name: data, mountPath: /data }] }]
  volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
`;
}
