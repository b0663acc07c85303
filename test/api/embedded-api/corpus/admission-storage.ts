import { bound, grown, soon, storageClass } from "../admission-builders.ts";
import {
  apply,
  claim,
  claims,
  create,
  type Fields,
  get,
  mergePatch,
  patch,
  remove,
  rows,
  update,
} from "../builders.ts";
import type { Sequence } from "../sequence.ts";

const volumes = "/api/v1/persistentvolumes";
const attributes = "/apis/storage.k8s.io/v1/volumeattributesclasses";

const byDefault = { "storageclass.kubernetes.io/is-default-class": "true" };
const classless = (name: string) => claim(name, { storageClassName: undefined });
const isOfClass = (answer: { spec?: { storageClassName?: string } }) => answer.spec?.storageClassName !== undefined;

const volume = (name: string, metadata: Fields = {}) => ({
  apiVersion: "v1",
  kind: "PersistentVolume",
  metadata: { name, ...metadata },
  spec: {
    capacity: { storage: "1Gi" },
    accessModes: ["ReadWriteOnce"],
    csi: { driver: "example.test", volumeHandle: "v" },
  },
});

export const storageSequences: readonly Sequence[] = [
  ...rows("what is in use", {
    "a claim has a finalizer": [create(claims, claim("a"))],
    "a claim keeps its own": [create(claims, claim("a", {}, { finalizers: ["example.test/x"] }))],
    "a claim has it once": [create(claims, claim("a", {}, { finalizers: ["kubernetes.io/pvc-protection"] }))],
    "a claim may lose it": [
      create(claims, claim("a")),
      patch(`${claims}/a`, mergePatch, { metadata: { finalizers: null } }),
      remove(`${claims}/a`),
    ],
    "a claim waits for it": [create(claims, claim("a")), remove(`${claims}/a`), get(`${claims}/a`)],
    "a claim, by apply": [apply(`${claims}/a`, claim("a"))],
    "a volume has a finalizer": [create(volumes, volume("v-{id}"))],
    "a volume keeps its own": [
      create(volumes, volume("v-{id}", { finalizers: ["example.test/x"] })),
      patch(`${volumes}/v-{id}`, mergePatch, { metadata: { finalizers: null } }),
    ],
    "a class of attributes has a finalizer": [
      create(attributes, {
        apiVersion: "storage.k8s.io/v1",
        kind: "VolumeAttributesClass",
        metadata: { name: "c-{id}" },
        driverName: "example.test",
        parameters: { a: "b" },
      }),
    ],
  }),
  ...rows("a claim grows", {
    "when it is bound": [
      storageClass("c-{id}", { allowVolumeExpansion: true }),
      create(claims, claim("a", { storageClassName: "c-{id}" })),
      grown,
      bound,
      soon(grown, 200),
    ],
    "when its class allows it": [
      storageClass("c-{id}"),
      create(claims, claim("a", { storageClassName: "c-{id}" })),
      bound,
      grown,
    ],
    "when its class says not": [
      storageClass("c-{id}", { allowVolumeExpansion: false }),
      create(claims, claim("a", { storageClassName: "c-{id}" })),
      bound,
      grown,
    ],
    "when it has a class": [create(claims, claim("a")), bound, grown],
    "when its class is there": [create(claims, claim("a", { storageClassName: "none-{id}" })), bound, grown],
    "and does not shrink": [
      storageClass("c-{id}", { allowVolumeExpansion: true }),
      create(claims, claim("a", { storageClassName: "c-{id}" })),
      bound,
      patch(`${claims}/a`, mergePatch, { spec: { resources: { requests: { storage: "1Mi" } } } }),
    ],
    "in a class by the old annotation": [
      storageClass("c-{id}", { allowVolumeExpansion: true }),
      create(
        claims,
        claim(
          "a",
          { storageClassName: undefined },
          { annotations: { "volume.beta.kubernetes.io/storage-class": "c-{id}" } },
        ),
      ),
      bound,
      soon(grown, 200),
    ],
    "by being replaced": [
      create(claims, claim("a")),
      update(`${claims}/a`, claim("a", { resources: { requests: { storage: "3Gi" } } })),
    ],
  }),
  {
    name: "a claim without a class gets the default one",
    alone: true,
    steps: [
      create(claims, classless("before")),
      storageClass("d-{id}", {}, byDefault),
      soon(create(claims, classless("a"), "?dryRun=All"), isOfClass),
      create(claims, classless("a")),
      create(claims, claim("none", { storageClassName: "" })),
      create(claims, claim("own", { storageClassName: "own" })),
      create(
        claims,
        claim(
          "old",
          { storageClassName: undefined },
          { annotations: { "volume.beta.kubernetes.io/storage-class": "x" } },
        ),
      ),
      apply(`${claims}/applied`, classless("applied")),
    ],
  },
  {
    name: "of two default classes of one second, the first by name",
    alone: true,
    steps: [
      storageClass("z-{id}", {}, { "storageclass.beta.kubernetes.io/is-default-class": "true" }),
      storageClass("a-{id}", {}, { "storageclass.kubernetes.io/is-default-class": "false" }),
      soon(create(claims, classless("a"), "?dryRun=All"), isOfClass),
      create(claims, classless("a")),
    ],
  },
];
