import type { Container, KubernetesObject, PersistentVolumeClaim, Pod, PodSecurityContext } from "@stowage/machinery";

export const demo = { namespace: "demo", claim: "data", pod: "writer" } as const;

/** The file that the Pod of the demonstration writes to, as it sees it. */
const file = "/data/log";
/** Of our images: see `scripts/image/image-table.ts`. */
const imageGroup = 65_532;

/**
 * Something that uses storage: a claim of the default class, and a Pod that writes to it. `image` is ours where the cluster has to have the
 * image that it runs: nobody else's may be within its reach.
 */
export function demoObjects(image?: string): KubernetesObject[] {
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
    demoPod(image === undefined ? shellWriter : nodeWriter(image)),
  ];
}

type Writer = Pick<Container, "image" | "command"> & { readonly securityContext?: PodSecurityContext };

const shellWriter: Writer = {
  image: "busybox",
  command: ["sh", "-c", `trap 'exit 0' TERM; while :; do date >> ${file}; tail -n 1 ${file}; sleep 5 & wait $!; done`],
};

/** Our images have a Node and few other programs, and are not root: the volume has to be given to their group. */
function nodeWriter(image: string): Writer {
  const script = [
    'const { appendFileSync } = require("node:fs");',
    "const write = () => {",
    "  const line = `${new Date().toISOString()}\\n`;",
    `  appendFileSync("${file}", line);`,
    "  process.stdout.write(line);",
    "};",
    "write();",
    "setInterval(write, 5_000);",
    'process.on("SIGTERM", () => process.exit(0));',
  ];
  return { image, command: ["node", "-e", script.join("\n")], securityContext: { fsGroup: imageGroup } };
}

/** Started again, it goes on with the same file. It is ready when it has written. */
function demoPod({ securityContext, ...container }: Writer): Pod {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: demo.pod, namespace: demo.namespace },
    spec: {
      serviceAccountName: demo.pod,
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 5,
      ...(securityContext && { securityContext }),
      containers: [
        {
          name: "writer",
          ...container,
          readinessProbe: { exec: { command: ["sh", "-c", `test -s ${file}`] }, periodSeconds: 1 },
          volumeMounts: [{ name: "data", mountPath: "/data" }],
        },
      ],
      volumes: [{ name: "data", persistentVolumeClaim: { claimName: demo.claim } }],
    },
  };
}
