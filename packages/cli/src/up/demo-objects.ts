import type { KubernetesObject, PersistentVolumeClaim, Pod } from "@stowage/machinery";

export const demo = { namespace: "demo", claim: "data", pod: "writer" } as const;

/** The file that the Pod of the demonstration writes to, as it sees it. */
const file = "/data/log";

/** Something that uses storage: a claim of the default class, and a Pod that writes to it. */
export function demoObjects(): KubernetesObject[] {
  const { namespace } = demo;
  const claim: PersistentVolumeClaim = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: demo.claim, namespace },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "64Mi" } } },
  };
  return [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
    // Its own: the one that every namespace gets may not be there yet.
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: demo.pod, namespace } },
    claim,
    demoPod(),
  ];
}

/** Started again, it goes on with the same file. It is ready when it has written. */
function demoPod(): Pod {
  const script = `trap 'exit 0' TERM; while :; do date >> ${file}; tail -n 1 ${file}; sleep 5 & wait $!; done`;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: demo.pod, namespace: demo.namespace },
    spec: {
      serviceAccountName: demo.pod,
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 5,
      containers: [
        {
          name: "writer",
          image: "busybox",
          command: ["sh", "-c", script],
          readinessProbe: { exec: { command: ["test", "-s", file] }, periodSeconds: 1 },
          volumeMounts: [{ name: "data", mountPath: "/data" }],
        },
      ],
      volumes: [{ name: "data", persistentVolumeClaim: { claimName: demo.claim } }],
    },
  };
}
