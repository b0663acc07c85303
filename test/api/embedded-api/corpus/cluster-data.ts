import {
  apply,
  configMap,
  create,
  each,
  type Fields,
  get,
  jsonPatch,
  maps,
  mergePatch,
  patch,
  remove,
  rows,
  secrets,
  update,
} from "../builders.ts";
import type { Sequence, Step } from "../sequence.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const secret = (more: Fields, metadata: Fields = {}) => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "s", ...metadata },
  ...more,
});
const accounts = "/api/v1/namespaces/{ns}/serviceaccounts";
const account = (more: Fields = {}, metadata: Fields = {}) => ({
  apiVersion: "v1",
  kind: "ServiceAccount",
  metadata: { name: "a", ...metadata },
  ...more,
});

const keys = ["a", ".", "..", "..a", "a b", "a/b", "A_b-c.d", "x".repeat(253), "x".repeat(254), "ä"];

export const configuration: readonly Sequence[] = [
  ...each("a ConfigMap with the key", keys, (key) => [
    create(maps, configMap("c", { data: { [key]: "v" } })),
    create(maps, configMap("d", { binaryData: { [key]: base64("v") } })),
  ]),
  ...rows("a ConfigMap with", {
    nothing: create(maps, configMap("c")),
    "no data": create(maps, configMap("c", { data: {}, binaryData: {} })),
    "a key twice": create(maps, configMap("c", { data: { a: "1" }, binaryData: { a: base64("2") } })),
    "bytes that are none": create(maps, configMap("c", { binaryData: { a: "?" } })),
    "a number": create(maps, configMap("c", { data: { a: 1 } })),
    "a null": create(maps, configMap("c", { data: { a: null } })),
    "too much": create(maps, configMap("c", { data: { a: "x".repeat(1_048_577) } })),
    "a bad name": create(maps, configMap("A b", { data: { a: "b" } })),
    "bad labels": create(maps, configMap("c", {}, { labels: { "a b": "c d" } })),
    "bad annotations": create(maps, configMap("c", {}, { annotations: { "a b": "c d" } })),
    "bad finalizers": create(maps, configMap("c", {}, { finalizers: ["mine", "a b/c"] })),
  }),
  ...rows(
    "a ConfigMap that is sealed",
    {
      "gets data": patch(`${maps}/c`, mergePatch, { data: { b: "2" } }),
      "gets other bytes": patch(`${maps}/c`, mergePatch, { binaryData: { b: base64("2") } }),
      "is opened": patch(`${maps}/c`, mergePatch, { immutable: false }),
      "is opened and changed": patch(`${maps}/c`, mergePatch, { immutable: null, data: null }),
      "gets a label": patch(`${maps}/c`, mergePatch, { metadata: { labels: { a: "b" } } }),
      "gets a bad key": patch(`${maps}/c`, mergePatch, { data: { "a b": "c" } }),
    },
    [create(maps, configMap("c", { data: { a: "1" }, immutable: true }))],
  ),
];

const types: Readonly<Record<string, readonly Fields[]>> = {
  Opaque: [{}, { data: { a: base64("b") } }, { stringData: { a: "b" }, data: { a: base64("c"), d: base64("e") } }],
  "example.test/own": [{}],
  "": [{}],
  "kubernetes.io/service-account-token": [
    {},
    { metadata: { annotations: { "kubernetes.io/service-account.name": "a" } } },
  ],
  "kubernetes.io/dockercfg": [{}, { stringData: { ".dockercfg": "{}" } }, { stringData: { ".dockercfg": "x" } }],
  "kubernetes.io/dockerconfigjson": [
    {},
    { stringData: { ".dockerconfigjson": '{"auths":{}}' } },
    { stringData: { ".dockerconfigjson": "" } },
    { stringData: { ".dockerconfigjson": "[1]" } },
    { stringData: { ".dockerconfigjson": '"a"' } },
    { stringData: { ".dockerconfigjson": "nope" } },
  ],
  "kubernetes.io/basic-auth": [{}, { stringData: { username: "a" } }, { stringData: { password: "" } }],
  "kubernetes.io/ssh-auth": [{}, { stringData: { "ssh-privatekey": "" } }, { stringData: { "ssh-privatekey": "a" } }],
  "kubernetes.io/tls": [
    {},
    { stringData: { "tls.crt": "" } },
    { stringData: { "tls.crt": "a", "tls.key": "b" } },
    { stringData: { "tls.crt": "-----BEGIN A-----\nYQ==\n-----END A-----\n", "tls.key": "b" } },
  ],
  "bootstrap.kubernetes.io/token": [{}],
};

export const hidden: readonly Sequence[] = [
  ...Object.entries(types).flatMap(([type, contents]) =>
    contents.map((content, index) => ({
      name: `a Secret of the type ${type || "none"}: ${index}`,
      steps: [create(secrets, { ...secret({ type, ...content }, content["metadata"] as Fields) })],
    })),
  ),
  ...each("a Secret with the key", keys, (key) => [create(secrets, secret({ stringData: { [key]: "v" } }))]),
  ...rows("a Secret with", {
    "bytes that are none": create(secrets, secret({ data: { a: "?" } })),
    "too much": create(secrets, secret({ stringData: { a: "x".repeat(1_048_577) } })),
    "a bad name": create(secrets, secret({}, { name: "A b" })),
  }),
  ...rows(
    "a Secret that",
    {
      "gets another type": patch(`${secrets}/s`, mergePatch, { type: "example.test/own" }),
      "loses its type": patch(`${secrets}/s`, mergePatch, { type: null }),
      "is replaced without a type": update(`${secrets}/s`, secret({ data: { b: base64("2") } })),
      "gets text": patch(`${secrets}/s`, mergePatch, { stringData: { c: "d" } }),
      "loses all": patch(`${secrets}/s`, jsonPatch, [{ op: "remove", path: "/data" }]),
      "is applied": apply(`${secrets}/s`, secret({ stringData: { c: "d" } }), { force: true }),
      "is sealed and changed": [
        patch(`${secrets}/s`, mergePatch, { immutable: true }),
        patch(`${secrets}/s`, mergePatch, { data: { b: base64("2") } }),
        patch(`${secrets}/s`, mergePatch, { immutable: null }),
      ],
      goes: [remove(`${secrets}/s`), get(`${secrets}/s`)],
    },
    [create(secrets, secret({ data: { a: base64("1") }, type: "Opaque" }))],
  ),
];

const named: Step = create(accounts, account());

export const serviceAccounts: readonly Sequence[] = [
  ...rows("a ServiceAccount with", {
    little: named,
    secrets: create(accounts, account({ secrets: [{ name: "s", kind: "Secret", namespace: "x" }, {}] })),
    "secrets to pull with": create(accounts, account({ imagePullSecrets: [{ name: "s" }, { name: "" }] })),
    "no token": create(accounts, account({ automountServiceAccountToken: false })),
    "a bad name": create(accounts, account({}, { name: "A b" })),
    "an old annotation": create(
      accounts,
      account({}, { annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } }),
    ),
  }),
  ...rows(
    "a ServiceAccount that",
    {
      "gets secrets": patch(`${accounts}/a`, mergePatch, { secrets: [{ name: "s", uid: "x" }] }),
      "gets an old annotation": [
        patch(`${accounts}/a`, mergePatch, {
          metadata: { annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } },
        }),
        patch(`${accounts}/a`, mergePatch, { metadata: { annotations: { a: "b" } } }),
      ],
      "is applied": apply(`${accounts}/a`, account({ secrets: [{ name: "s" }] })),
      goes: [remove(`${accounts}/a`), get(`${accounts}/a`)],
    },
    [named],
  ),
];
