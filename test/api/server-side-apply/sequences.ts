import * as fc from "fast-check";
import { type Fields, objectOf } from "../patch-shapes.ts";
import { type Json, part } from "./json-parts.ts";
import type { Step } from "./written-object.ts";

/** Writes by several managers, drawn at random from few names and values, so that they meet. */
export interface Drawn {
  readonly fields: Fields;
  /** Fields of the status, for kinds where it is written on its own. */
  readonly status?: Fields;
  /** Whether to set fields to null; the server refuses to store most nulls in an object of a CRD. */
  readonly hasNulls: boolean;
  /** Makes of what is drawn something that the server accepts. */
  complete(drawn: Json): Json;
}

const managers = fc.constantFrom("ann", "bob", "kubectl");

/** Begins with an object that exists, or is applied; most steps after that are applies. */
export function sequenceOf(shape: Drawn): fc.Arbitrary<Step[]> {
  const bodies = objectOf({ fields: shape.fields }).map((drawn) => shape.complete(drawn as Json));
  const withNulls = shape.hasNulls ? sometimesNull(bodies) : bodies;
  const apply = fc.record({ apply: withNulls, by: managers, force: mostlyFalse });
  const first = fc.oneof(apply, fc.record({ create: bodies, by: managers }));
  const update = fc.record({ update: bodies.map(replacing), by: managers });
  const patch = fc.record({ patch: sometimesNull(bodies), by: managers });
  const weighted = [
    { weight: 6, arbitrary: apply as fc.Arbitrary<Step> },
    { weight: 2, arbitrary: update as fc.Arbitrary<Step> },
    { weight: 2, arbitrary: patch as fc.Arbitrary<Step> },
    ...(shape.status ? [{ weight: 3, arbitrary: statusStep(shape.status) }] : []),
  ];
  const later = fc.array(fc.oneof(...weighted), { minLength: 3, maxLength: 5 });
  return fc.tuple(first as fc.Arbitrary<Step>, later).map(([start, rest]) => [start, ...rest]);
}

const mostlyFalse = fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) });

function statusStep(fields: Fields): fc.Arbitrary<Step> {
  const status = objectOf({ fields }).map((drawn) => ({ status: drawn }));
  const through = fc.constant("status");
  return fc.oneof<fc.Arbitrary<Step>[]>(
    fc.record({ apply: status, by: managers, force: mostlyFalse, through }),
    fc.record({ patch: status, by: managers, through }),
  );
}

/** The object with what was drawn in place of its content; who and which it is stays. */
function replacing(drawn: Json): (live: Json) => Json {
  return (live) => {
    const { labels: _labels, annotations: _annotations, finalizers: _finalizers, ...identity } = part(live, "metadata");
    const { apiVersion, kind, status } = live;
    const { clusterIP, clusterIPs } = part(live, "spec");
    const allocated = kind === "Service" && { spec: { ...part(drawn, "spec"), clusterIP, clusterIPs } };
    const metadata = { ...identity, ...part(drawn, "metadata") };
    return { apiVersion, kind, ...drawn, ...allocated, ...(status !== undefined && { status }), metadata };
  };
}

/** Now and then a field is null: in a patch that removes it, in what is applied it says nothing of the kind. */
function sometimesNull(bodies: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  return fc.tuple(bodies, fc.nat({ max: 40 })).map(([body, which]) => {
    const copy = structuredClone(body);
    const places: [Json, string][] = [];
    for (const root of ["spec", "data", "template"]) collectPlaces(copy[root], places);
    const place = places[which];
    if (place !== undefined) place[0][place[1]] = null;
    return copy;
  });
}

/** Not the keys of list items, which must be there. */
function collectPlaces(value: unknown, places: [Json, string][]): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  for (const [name, inner] of Object.entries<unknown>(value as Json)) {
    if (["selector", "template", "containers", "spec"].includes(name)) continue;
    places.push([value as Json, name]);
    collectPlaces(inner, places);
  }
}

const letter = fc.constantFrom("a", "b", "c");
const metadata: Fields = {
  labels: { map: letter },
  annotations: { map: letter },
  finalizers: { set: letter.map((name) => `example.com/${name}`) },
};
const small = fc.nat({ max: 3 });

const item = (values: fc.Arbitrary<unknown>) => ({ value: values });

export const configMapShape: Drawn = {
  hasNulls: true,
  fields: {
    metadata: { fields: metadata },
    data: { map: letter },
    binaryData: { value: fc.constantFrom({ x: "YQ==" }, { y: "Yg==" }) },
  },
  complete: (drawn) => drawn,
};

const envVar: Fields = { value: item(letter) };
const volumeMount: Fields = { name: item(fc.constant("data")), readOnly: item(fc.boolean()) };
const container: Fields = {
  image: item(letter),
  args: item(fc.array(letter, { maxLength: 2 })),
  env: { key: "name", keys: letter, item: envVar },
  ports: {
    key: "containerPort",
    keys: fc.constantFrom(80, 81),
    item: { protocol: item(fc.constantFrom("TCP", "UDP")), name: item(letter) },
  },
  volumeMounts: { key: "mountPath", keys: fc.constantFrom("/a", "/b"), item: volumeMount, required: ["name"] },
  resources: {
    fields: { limits: item(fc.constantFrom({ cpu: "1" }, { memory: "1Gi" }, { cpu: "1", memory: "2Gi" })) },
  },
  securityContext: { fields: { runAsUser: item(small), privileged: item(fc.constant(false)) } },
};
const podSpec: Fields = {
  containers: { key: "name", keys: letter, item: container, required: ["image"] },
  volumes: {
    key: "name",
    keys: fc.constantFrom("data", "more"),
    item: { emptyDir: { fields: { sizeLimit: item(fc.constantFrom("1Gi", "2Gi")) } } },
  },
  nodeSelector: { map: letter },
  tolerations: item(
    fc.array(
      letter.map((key) => ({ key, operator: "Exists" })),
      { maxLength: 2 },
    ),
  ),
  imagePullSecrets: { key: "name", keys: letter, item: {} },
  hostAliases: {
    key: "ip",
    keys: fc.constantFrom("10.0.0.1", "10.0.0.2"),
    item: { hostnames: item(fc.array(letter, { minLength: 1, maxLength: 2 })) },
  },
  terminationGracePeriodSeconds: item(small),
  securityContext: {
    fields: { runAsUser: item(small), supplementalGroups: item(fc.uniqueArray(small, { maxLength: 2 })) },
  },
};

/** A Pod has containers, and mounts name its volumes. */
function completePodSpec(spec: Json): Json {
  const { containers = [{ name: "a", image: "a" }], volumes = [] } = spec;
  const others = (volumes as Json[]).filter(({ name }) => name !== "data");
  return { ...spec, containers, volumes: [{ name: "data", emptyDir: {} }, ...others] };
}

export const podTemplateShape: Drawn = {
  hasNulls: true,
  fields: {
    metadata: { fields: metadata },
    template: { fields: { metadata: { fields: { labels: { map: letter } } }, spec: { fields: podSpec } } },
  },
  complete(drawn) {
    const template = part(drawn, "template");
    return { ...drawn, template: { ...template, spec: completePodSpec(part(template, "spec")) } };
  },
};

const surge = item(fc.constantFrom(1, 2, "50%"));
const rollingUpdate = { fields: { maxSurge: surge, maxUnavailable: surge } };

export const deploymentShape: Drawn = {
  hasNulls: true,
  fields: {
    metadata: { fields: { labels: { map: letter }, annotations: { map: letter } } },
    spec: {
      fields: {
        minReadySeconds: item(small),
        revisionHistoryLimit: item(small),
        strategy: { fields: { rollingUpdate } },
        template: { fields: { spec: { fields: { containers: podSpec["containers"] as never } } } },
      },
    },
  },
  status: { observedGeneration: item(small), collisionCount: item(small) },
  complete(drawn) {
    const spec = part(drawn, "spec");
    const labels = { app: "a" };
    const pod = { metadata: { labels }, spec: completePodSpec(part(part(spec, "template"), "spec")) };
    return { ...drawn, spec: { ...spec, replicas: 0, paused: true, selector: { matchLabels: labels }, template: pod } };
  },
};

const servicePort: Fields = {
  name: item(fc.constantFrom("x", "y", "z", "w")),
  protocol: item(fc.constantFrom("TCP", "UDP")),
  targetPort: item(fc.constantFrom(8080, "http")),
};

export const serviceShape: Drawn = {
  hasNulls: true,
  fields: {
    metadata: { fields: metadata },
    spec: {
      fields: {
        ports: { key: "port", keys: fc.constantFrom(53, 80, 81), item: servicePort, required: ["name"] },
        selector: { map: letter },
        sessionAffinity: item(fc.constantFrom("None", "ClientIP")),
        externalIPs: item(fc.array(fc.constantFrom("10.0.0.1", "10.0.0.2"), { maxLength: 2 })),
        publishNotReadyAddresses: item(fc.boolean()),
      },
    },
  },
  complete(drawn) {
    const { ports = [{ name: "x", port: 80 }], ...spec } = part(drawn, "spec");
    return { ...drawn, spec: { ...spec, ports } };
  },
};

const parcelPort: Fields = {
  protocol: item(fc.constantFrom("TCP", "UDP")),
  note: item(letter),
  tags: { set: letter },
};
const stage: Fields = {
  children: { key: "name", keys: letter, item: { value: item(letter) } },
  open: { fields: { a: item(small) } },
};

export const parcelShape: Drawn = {
  hasNulls: false,
  fields: {
    metadata: { fields: metadata },
    spec: {
      fields: {
        count: item(small),
        flag: item(fc.boolean()),
        ratio: item(fc.constantFrom(0.5, 1.25)),
        size: item(fc.constantFrom(1, "50%")),
        tags: { set: letter },
        numbers: { set: small },
        whole: item(fc.array(letter, { maxLength: 3 })),
        plain: item(
          fc.array(
            letter.map((a) => ({ a })),
            { maxLength: 2 },
          ),
        ),
        ports: { key: "port", keys: fc.constantFrom(1, 2), item: parcelPort },
        stages: { key: "name", keys: letter, item: stage },
        labels: { map: letter },
        nested: { map: fc.record({ a: letter, b: letter }, { requiredKeys: [], noNullPrototype: true }) },
        sealed: { fields: { a: item(letter), b: item(letter) } },
        struct: { fields: { a: item(letter), inner: { fields: { b: item(letter), c: item(small) } } } },
        free: item(fc.constantFrom({ a: { b: 1 } }, { a: { c: [1] } }, { a: [1, 2] }, { a: "x" }, {})),
        mixed: { fields: { known: item(letter), other: item(fc.constantFrom({ a: 1 }, { b: 2 }, 3)) } },
        maybe: item(fc.constantFrom("a", "b", null)),
      },
    },
  },
  status: {
    phase: item(letter),
    seen: item(small),
    conditions: { key: "type", keys: letter, item: { status: item(letter), reason: item(letter) } },
  },
  complete: (drawn) => drawn,
};
