import { createJsonPatch } from "@stowage/machinery/patches";
import * as fc from "fast-check";
import { objectOf, patchOf, type Fields as Shapes } from "../../patch-shapes.ts";
import {
  claims,
  classes,
  deployments,
  type Fields,
  jsonPatch,
  maps,
  mergePatch,
  pods,
  secrets,
  strategicPatch,
} from "../builders.ts";
import { objectOfKind, type Subject, sample, seed } from "../generated-steps.ts";
import type { Request, Sequence } from "../sequence.ts";

const item = (value: fc.Arbitrary<unknown>) => ({ value });
const letter = fc.constantFrom("a", "b", "c", "d");
const metadata: Shapes = {
  labels: { map: letter },
  annotations: { map: letter },
  finalizers: { set: letter.map((name) => `example.com/${name}`) },
};
const bytes = fc.constantFrom("YQ==", "Yg==", "");
const amount = fc.constantFrom("1Gi", "1024Mi", "1", 1, "0.5", "500m", "-1", "1e3", "1.5Gi");

const container: Shapes = {
  image: item(letter),
  command: item(fc.array(letter, { maxLength: 2 })),
  env: { key: "name", keys: letter, item: { value: item(letter) } },
  ports: {
    key: "containerPort",
    keys: fc.constantFrom(80, 81, 0),
    item: { protocol: item(fc.constantFrom("TCP", "UDP", "X")), name: item(letter) },
  },
  resources: {
    fields: { limits: { map: amount }, requests: item(fc.constantFrom({ cpu: "1" }, { memory: "1Gi" }, {})) },
  },
  imagePullPolicy: item(fc.constantFrom("Always", "Never", "Sometimes")),
  stdin: item(fc.boolean()),
  workingDir: item(fc.constantFrom("", "/a")),
};
const podSpec: Shapes = {
  containers: { key: "name", keys: letter, item: container, required: ["image"] },
  restartPolicy: item(fc.constantFrom("Always", "Never", "OnFailure")),
  terminationGracePeriodSeconds: item(fc.constantFrom(0, 5, -1)),
  nodeSelector: { map: letter },
  hostNetwork: item(fc.boolean()),
  tolerations: item(
    fc.array(
      letter.map((key) => ({ key, operator: "Exists" })),
      { maxLength: 2 },
    ),
  ),
  activeDeadlineSeconds: item(fc.constantFrom(1, 0)),
};

interface Drawn {
  readonly subject: Subject;
  readonly shape: Shapes;
  /** Makes of what is drawn something that is accepted more often than not. */
  complete?(drawn: Record<string, unknown>): Fields;
}

/** What is sent empty is none for us at once; the real server tells the two apart until it has stored them, and shows that. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutEmpty);
  const fields = Object.entries(value).map(([name, field]) => [name, withoutEmpty(field)] as const);
  return Object.fromEntries(fields.filter(([, field]) => !isEmpty(field)));
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

const part = (object: Fields, name: string) => (object[name] ?? {}) as Record<string, unknown>;

function completePodSpec(spec: Fields): Fields {
  return { ...spec, containers: spec["containers"] ?? [{ name: "a", image: "a" }] };
}

const kinds: Readonly<Record<string, Drawn>> = {
  "a ConfigMap": {
    subject: { collection: maps, apiVersion: "v1", kind: "ConfigMap" },
    shape: {
      metadata: { fields: metadata },
      data: { map: letter },
      binaryData: { map: bytes },
      immutable: item(fc.constant(false)),
    },
  },
  "a Secret": {
    subject: { collection: secrets, apiVersion: "v1", kind: "Secret" },
    shape: {
      metadata: { fields: metadata },
      data: { map: bytes },
      stringData: { map: letter },
      type: item(fc.constantFrom("Opaque", "example.test/a", "kubernetes.io/basic-auth", "")),
      immutable: item(fc.constant(false)),
    },
  },
  "a Deployment": {
    subject: { collection: deployments, apiVersion: "apps/v1", kind: "Deployment" },
    shape: {
      metadata: { fields: metadata },
      spec: {
        fields: {
          replicas: item(fc.constantFrom(0, 1, -1)),
          minReadySeconds: item(fc.nat({ max: 2 })),
          paused: item(fc.boolean()),
          strategy: { fields: { type: item(fc.constantFrom("Recreate", "RollingUpdate")) } },
          template: { fields: { spec: { fields: podSpec } } },
        },
      },
    },
    complete(drawn) {
      const spec = part(drawn, "spec");
      const template = {
        metadata: { labels: { app: "a" } },
        spec: completePodSpec(part(part(spec, "template"), "spec")),
      };
      return { ...drawn, spec: { ...spec, selector: { matchLabels: { app: "a" } }, template } };
    },
  },
  "a Pod": {
    subject: { collection: pods, apiVersion: "v1", kind: "Pod" },
    shape: { metadata: { fields: metadata }, spec: { fields: podSpec } },
    complete: (drawn) => ({ ...drawn, spec: completePodSpec(part(drawn, "spec")) }),
  },
  "a PersistentVolumeClaim": {
    subject: { collection: claims, apiVersion: "v1", kind: "PersistentVolumeClaim" },
    shape: {
      metadata: { fields: metadata },
      spec: {
        fields: {
          accessModes: item(
            fc.subarray(["ReadWriteOnce", "ReadOnlyMany", "ReadWriteOncePod", "Other"], { minLength: 1 }),
          ),
          resources: { fields: { requests: { fields: { storage: item(amount) } } } },
          storageClassName: item(fc.constantFrom("", "a", "B_")),
          volumeMode: item(fc.constantFrom("Block", "Filesystem", "Other")),
          volumeName: item(letter),
        },
      },
    },
    complete(drawn) {
      const spec = {
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "1Gi" } },
        ...part(drawn, "spec"),
      };
      return { ...drawn, spec };
    },
  },
  "a StorageClass": {
    subject: { collection: classes, apiVersion: "storage.k8s.io/v1", kind: "StorageClass", name: "{id}" },
    shape: {
      metadata: { fields: metadata },
      provisioner: item(fc.constantFrom("example.test/a", "bad name")),
      parameters: { map: letter },
      reclaimPolicy: item(fc.constantFrom("Delete", "Retain", "Other")),
      mountOptions: item(fc.array(letter, { maxLength: 2 })),
      allowVolumeExpansion: item(fc.boolean()),
      volumeBindingMode: item(fc.constantFrom("Immediate", "WaitForFirstConsumer")),
    },
    complete: (drawn) => ({ provisioner: "example.test/a", ...drawn }),
  },
};

function drawnPatches([what, { subject, shape, complete }]: [string, Drawn], count: number): Sequence[] {
  const completed = (drawn: unknown) => {
    const filled = withoutEmpty(drawn) as Record<string, unknown>;
    return complete?.(filled) ?? filled;
  };
  const bodies = objectOf({ fields: shape }).map((drawn) => objectOfKind(subject, completed(drawn)));
  const path = `${subject.collection}/${subject.name ?? "a"}`;
  const strategic = patchOf(shape).map((body): Request => ({ send: `PATCH ${path}`, type: strategicPatch, body }));
  const merge = objectOf({ fields: shape }).map((drawn): Request => {
    return { send: `PATCH ${path}`, type: mergePatch, body: withoutEmpty(drawn) };
  });
  const json = fc.tuple(bodies, bodies).map(([from, to]): Request => {
    const body = createJsonPatch(from, to);
    return { send: `PATCH ${path}`, type: jsonPatch, body };
  });
  const replaced = bodies.map((body): Request => ({ send: `PUT ${path}`, body }));
  const later = fc.array(fc.oneof({ weight: 3, arbitrary: strategic }, merge, json, replaced), {
    minLength: 3,
    maxLength: 5,
  });
  return sample(fc.tuple(bodies, later), count).map(([body, steps], index) => ({
    name: `${what}, drawn patches ${index} of seed ${seed}`,
    steps: [{ send: `POST ${subject.collection}`, body }, ...steps, { send: `GET ${path}` }],
  }));
}

export const patchedSequences: readonly Sequence[] = Object.entries(kinds).flatMap((kind) => drawnPatches(kind, 35));
