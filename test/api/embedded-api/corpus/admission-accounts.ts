import { container } from "../admission-builders.ts";
import { apply, create, type Fields, pod, pods, rows } from "../builders.ts";
import type { Sequence } from "../sequence.ts";

const accounts = "/api/v1/namespaces/{ns}/serviceaccounts";

const account = (name: string, more: Fields = {}, metadata: Fields = {}) =>
  create(accounts, { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, ...metadata }, ...more });

export const accountSequences: readonly Sequence[] = [
  ...rows("a Pod runs as", {
    "the default account": [create(pods, pod("a"))],
    "an account of its choice": [account("s"), create(pods, pod("a", {}, { serviceAccountName: "s" }))],
    "an account by the old name of the field": [account("s"), create(pods, pod("a", {}, { serviceAccount: "s" }))],
    "nobody that is not there": [create(pods, pod("a", {}, { serviceAccountName: "none" }))],
    "nobody by a name that none has": [create(pods, pod("a", {}, { serviceAccountName: "No/Name" }))],
    "an account without its token": [create(pods, pod("a", {}, { automountServiceAccountToken: false }))],
    "an account that keeps its token": [
      account("s", { automountServiceAccountToken: false }),
      create(pods, pod("a", {}, { serviceAccountName: "s" })),
      create(pods, pod("b", {}, { serviceAccountName: "s", automountServiceAccountToken: true })),
    ],
    "an account with secrets to pull by": [
      account("s", { imagePullSecrets: [{ name: "one" }, { name: "two" }] }),
      create(pods, pod("a", {}, { serviceAccountName: "s" })),
      create(pods, pod("b", {}, { serviceAccountName: "s", imagePullSecrets: [{ name: "own" }] })),
    ],
    "an account in all containers": [
      create(pods, pod("a", {}, { containers: [container("x"), container("y")], initContainers: [container("w")] })),
    ],
    "an account whose token it has elsewhere": [
      create(
        pods,
        pod(
          "a",
          {},
          {
            containers: [
              container("x", {
                volumeMounts: [{ name: "v", mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" }],
              }),
              container("y", { volumeMounts: [{ name: "v", mountPath: "/v" }] }),
            ],
            volumes: [{ name: "v", emptyDir: {} }],
          },
        ),
      ),
    ],
    "an account whose token nobody needs": [
      create(
        pods,
        pod(
          "a",
          {},
          {
            containers: [
              container("x", {
                volumeMounts: [{ name: "v", mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" }],
              }),
            ],
            volumes: [{ name: "v", emptyDir: {} }],
          },
        ),
      ),
    ],
    "an account with a volume of that name": [
      create(pods, pod("a", {}, { volumes: [{ name: "kube-api-access-mine", emptyDir: {} }] })),
    ],
    "an account, by apply": [apply(`${pods}/a`, pod("a")), apply(`${pods}/a`, pod("a"))],
    "an account, in a dry run": [create(pods, pod("a"), "?dryRun=All")],
    "an account, by a generated name": [
      create(pods, { ...pod("a"), metadata: { generateName: "g-" } }),
      create(pods, { ...pod("a", {}, { serviceAccountName: "none" }), metadata: { generateName: "g-" } }),
    ],
  }),
  ...rows(
    "an account with listed secrets",
    {
      "allows those": [
        create(
          pods,
          pod("a", {}, { serviceAccountName: "s", volumes: [{ name: "v", secret: { secretName: "mine" } }] }),
        ),
      ],
      "allows no other volume": [
        create(
          pods,
          pod("a", {}, { serviceAccountName: "s", volumes: [{ name: "v", secret: { secretName: "not" } }] }),
        ),
      ],
      "allows no other variable": [
        create(
          pods,
          pod(
            "a",
            {},
            {
              serviceAccountName: "s",
              containers: [
                container("x", { env: [{ name: "E", valueFrom: { secretKeyRef: { name: "not", key: "k" } } }] }),
              ],
            },
          ),
        ),
      ],
      "allows no other variables": [
        create(
          pods,
          pod(
            "a",
            {},
            { serviceAccountName: "s", containers: [container("x", { envFrom: [{ secretRef: { name: "not" } }] })] },
          ),
        ),
      ],
      "allows none to a container that runs first": [
        create(
          pods,
          pod(
            "a",
            {},
            {
              serviceAccountName: "s",
              initContainers: [container("w", { envFrom: [{ secretRef: { name: "not" } }] })],
            },
          ),
        ),
        create(
          pods,
          pod(
            "b",
            {},
            {
              serviceAccountName: "s",
              initContainers: [
                container("w", { env: [{ name: "E", valueFrom: { secretKeyRef: { name: "not", key: "k" } } }] }),
              ],
            },
          ),
        ),
      ],
      "allows none to pull by": [
        create(pods, pod("a", {}, { serviceAccountName: "s", imagePullSecrets: [{ name: "not" }] })),
      ],
    },
    [
      account(
        "s",
        { secrets: [{ name: "mine" }] },
        { annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } },
      ),
    ],
  ),
  ...rows("a Pod that a node shows", {
    "runs as nobody": [
      create(
        pods,
        pod(
          "a",
          { annotations: { "kubernetes.io/config.mirror": "x" } },
          { nodeName: "n", serviceAccountName: "default" },
        ),
      ),
    ],
    "uses no secret": [
      create(
        pods,
        pod(
          "a",
          { annotations: { "kubernetes.io/config.mirror": "x" } },
          { nodeName: "n", volumes: [{ name: "v", secret: { secretName: "x" } }] },
        ),
      ),
    ],
    "uses no token": [
      create(
        pods,
        pod(
          "a",
          { annotations: { "kubernetes.io/config.mirror": "x" } },
          {
            nodeName: "n",
            volumes: [{ name: "v", projected: { sources: [{ serviceAccountToken: { path: "t" } }] } }],
          },
        ),
      ),
    ],
    "is left as it is": [
      create(pods, pod("a", { annotations: { "kubernetes.io/config.mirror": "x" } }, { nodeName: "n" })),
    ],
  }),
];
