import { configMap, create, each, get, maps, mergePatch, pod, pods, remove, rows, secrets } from "../builders.ts";
import type { Sequence } from "../sequence.ts";

const long = (length: number) => "a".repeat(length);

const names = {
  "one letter": "a",
  "with dots": "a.b.c",
  "253 letters": long(253),
  "254 letters": long(254),
  "in capitals": "Abc",
  "with an underscore": "a_b",
  "beginning with a dash": "-a",
  "ending with a dash": "a-",
  "with two dots": "a..b",
  "with a slash": "a/b",
  "with a percent": "a%b",
  "a dot": ".",
  "two dots": "..",
  "of no letters": "",
  "with a space": "a b",
  "in Greek": "αβγ",
  "with an emoji": "a😀",
  "of digits": "123",
};

const metadataCases = {
  "no metadata": { apiVersion: "v1", kind: "ConfigMap" },
  "metadata of null": { metadata: null },
  "metadata of a text": { metadata: "x" },
  "another namespace": configMap("a", {}, { namespace: "other" }),
  "its own namespace": configMap("a", {}, { namespace: "{ns}" }),
  "a uid": configMap("a", {}, { uid: "5d1cf4e5-3f3c-4d2b-9f3a-1a2b3c4d5e6f" }),
  "a version": configMap("a", {}, { resourceVersion: "1" }),
  "version 0": configMap("a", {}, { resourceVersion: "0" }),
  "a version that is none": configMap("a", {}, { resourceVersion: "x" }),
  "a creation time": configMap("a", {}, { creationTimestamp: "2001-01-01T00:00:00Z" }),
  "a creation time that is none": configMap("a", {}, { creationTimestamp: "yesterday" }),
  "a deletion time": configMap("a", {}, { deletionTimestamp: "2001-01-01T00:00:00Z" }),
  "a grace period": configMap("a", {}, { deletionGracePeriodSeconds: 5 }),
  "a generation": configMap("a", {}, { generation: 7 }),
  "a self link": configMap("a", {}, { selfLink: "/x" }),
  "a finalizer": configMap("a", {}, { finalizers: ["example.test/x"] }),
  "a finalizer twice": configMap("a", {}, { finalizers: ["example.test/x", "example.test/x"] }),
  "a finalizer without a domain": configMap("a", {}, { finalizers: ["x"] }),
  "a finalizer of Kubernetes": configMap("a", {}, { finalizers: ["kubernetes"] }),
  "a finalizer for orphans": configMap("a", {}, { finalizers: ["orphan", "foregroundDeletion"] }),
  "a finalizer that is none": configMap("a", {}, { finalizers: ["a b"] }),
  labels: configMap("a", {}, { labels: { "example.test/a": "b", c: "" } }),
  "a label's name that is none": configMap("a", {}, { labels: { "a b": "x" } }),
  "a label's value that is none": configMap("a", {}, { labels: { a: "x y" } }),
  "a label's value too long": configMap("a", {}, { labels: { a: long(64) } }),
  "a label's name too long": configMap("a", {}, { labels: { [long(64)]: "x" } }),
  "a label's prefix that is none": configMap("a", {}, { labels: { "A/b": "x" } }),
  "a label of a number": configMap("a", {}, { labels: { a: 1 } }),
  "a label of null": configMap("a", {}, { labels: { a: null } }),
  annotations: configMap("a", {}, { annotations: { "example.test/A": "any text\n at all" } }),
  "an annotation's name that is none": configMap("a", {}, { annotations: { "a/b/c": "x" } }),
  "annotations that are too long": configMap("a", {}, { annotations: { a: long(300_000) } }),
  "an owner": configMap("a", {}, { ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "p", uid: "u" }] }),
  "an owner without a uid": configMap("a", {}, { ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "p" }] }),
  "an owner of nothing": configMap("a", {}, { ownerReferences: [{}] }),
  "an owner of an event": configMap(
    "a",
    {},
    {
      ownerReferences: [{ apiVersion: "v1", kind: "Event", name: "p", uid: "u" }],
    },
  ),
  "an owner twice": configMap(
    "a",
    {},
    {
      ownerReferences: [
        { apiVersion: "v1", kind: "Pod", name: "p", uid: "u" },
        { apiVersion: "v1", kind: "Pod", name: "p", uid: "u" },
      ],
    },
  ),
  "two owners that control it": configMap(
    "a",
    {},
    {
      ownerReferences: ["u", "v"].map((uid) => ({ apiVersion: "v1", kind: "Pod", name: uid, uid, controller: true })),
    },
  ),
  "an owner whose version is none": configMap(
    "a",
    {},
    {
      ownerReferences: [{ apiVersion: "a/b/c", kind: "Pod", name: "p", uid: "u" }],
    },
  ),
  "managed fields": configMap(
    "a",
    {},
    {
      managedFields: [
        {
          manager: "m",
          operation: "Apply",
          apiVersion: "v1",
          time: "2001-01-01T00:00:00Z",
          fieldsType: "FieldsV1",
          fieldsV1: { "f:data": {} },
        },
      ],
    },
  ),
  "managed fields of no type": configMap(
    "a",
    {},
    { managedFields: [{ manager: "m", operation: "Apply", apiVersion: "v1", fieldsV1: {} }] },
  ),
  "managed fields of another operation": configMap(
    "a",
    {},
    {
      managedFields: [{ manager: "m", operation: "Other", apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1: {} }],
    },
  ),
  "empty managed fields": configMap("a", {}, { managedFields: [] }),
  "managed fields that are none": configMap(
    "a",
    {},
    {
      managedFields: [
        { manager: "m", operation: "Update", apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1: { x: {} } },
      ],
    },
  ),
};

const generated: Readonly<Record<string, Record<string, unknown>>> = {
  "a beginning": { generateName: "a-" },
  "a beginning without a dash": { generateName: "abc" },
  "a long beginning": { generateName: `${long(80)}-` },
  "a beginning that is none": { generateName: "A_" },
  "an empty beginning": { generateName: "" },
  "a beginning and a name": { generateName: "a-", name: "b" },
  "a beginning that is too long": { generateName: long(300) },
};

const types: Readonly<Record<string, unknown>> = {
  "no version and no kind": { metadata: { name: "a" } },
  "another kind": { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } },
  "another version": { apiVersion: "v2", kind: "ConfigMap", metadata: { name: "a" } },
  "another group": { apiVersion: "apps/v1", kind: "ConfigMap", metadata: { name: "a" } },
  "a kind that is not there": { apiVersion: "v1", kind: "Nothing", metadata: { name: "a" } },
  "a version of a number": { apiVersion: 1, kind: "ConfigMap", metadata: { name: "a" } },
  "a kind of a list": { apiVersion: "v1", kind: ["ConfigMap"], metadata: { name: "a" } },
  "a kind in small letters": { apiVersion: "v1", kind: "configmap", metadata: { name: "a" } },
  "a list": { apiVersion: "v1", kind: "ConfigMapList", items: [] },
  "a Status": { apiVersion: "v1", kind: "Status" },
  "a version with two slashes": { apiVersion: "a/b/c", kind: "ConfigMap", metadata: { name: "a" } },
  "of a custom kind": { apiVersion: "example.test/v1", kind: "Widget", metadata: { name: "a" } },
};

const bodies: Readonly<Record<string, string>> = {
  nothing: "",
  "a space": " ",
  null: "null",
  "a number": "1",
  "a text": '"a"',
  true: "true",
  "a list": "[]",
  "an empty object": "{}",
  "half an object": '{"metadata":',
  "two objects": "{}{}",
  "a comma too many": '{"a":1,}',
  "single quotes": "{'a':1}",
  "a word": "hello",
  "a byte order mark": '\ufeff{"metadata":{"name":"a"}}',
  "a control character": '{"metadata":{"name":"a\u0001"}}',
  "a lone surrogate": '{"metadata":{"name":"a"},"data":{"a":"\\ud800"}}',
  "a number too large": '{"metadata":{"name":"a","generation":1e400}}',
  "a fraction for a whole number": '{"metadata":{"name":"a","generation":1.5}}',
  "an exponent for a whole number": '{"metadata":{"name":"a","generation":1e2}}',
  "a text for a number": '{"metadata":{"name":"a","generation":"1"}}',
  "a number for a text": '{"metadata":{"name":1}}',
  "an object for a text": '{"metadata":{"name":{}}}',
  "a list for an object": '{"metadata":[]}',
  "a text for a map": '{"metadata":{"name":"a"},"data":"x"}',
  "a text for a flag": '{"metadata":{"name":"a"},"immutable":"true"}',
  "a number for a flag": '{"metadata":{"name":"a"},"immutable":1}',
  "null for everything": '{"metadata":{"name":"a"},"data":null,"immutable":null,"binaryData":null}',
  "bytes that are none": '{"metadata":{"name":"a"},"binaryData":{"a":"%"}}',
  "a key twice": '{"metadata":{"name":"a"},"data":{"a":"1","a":"2"}}',
  "metadata twice": '{"metadata":{"name":"a"},"metadata":{"name":"b"}}',
  "an unknown field": '{"metadata":{"name":"a"},"unknown":1}',
  "an unknown field inside": '{"metadata":{"name":"a","unknown":{"a":1}}}',
  "fields in capitals": '{"metadata":{"name":"a"},"Data":{"a":"1"}}',
  "a field in capitals and in small letters": '{"metadata":{"name":"a"},"Data":{"a":"1"},"data":{"b":"2"}}',
  __proto__: '{"metadata":{"name":"a"},"data":{"__proto__":"x","constructor":"y"}}',
  "__proto__ above": '{"metadata":{"name":"a"},"__proto__":{"a":1}}',
};

const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;

const queries = [
  "dryRun=All",
  "dryRun=All&dryRun=All",
  "dryRun=",
  "dryRun=all",
  "dryRun=None",
  "dryRun=All&dryRun=Other",
  "fieldManager=me",
  "fieldManager=",
  `fieldManager=${long(129)}`,
  "fieldManager=a%0Ab",
  "fieldManager=a%20b",
  "fieldValidation=Strict",
  "fieldValidation=Warn",
  "fieldValidation=Ignore",
  "fieldValidation=",
  "fieldValidation=Other",
  "fieldValidation=strict",
  "force=true",
  "pretty=true",
  "unknown=1",
  "resourceVersion=1",
];

const odd = { ...configMap("a", { data: { a: "1" }, unknown: 1 }), other: { a: 1 } };

export const createSequences: readonly Sequence[] = [
  ...Object.entries(names).map(([what, name]) => ({ name: `a name ${what}`, steps: [create(maps, configMap(name))] })),
  ...Object.entries(metadataCases).map(([what, body]) => ({
    name: `created with ${what}`,
    steps: [create(maps, body)],
  })),
  ...Object.entries(generated).map(([what, metadata]) => ({
    name: `a generated name: ${what}`,
    steps: [create(maps, { metadata }), get(`${maps}/{0.metadata.name}`)],
  })),
  ...Object.entries(types).map(([what, body]) => ({ name: `created as ${what}`, steps: [create(maps, body)] })),
  ...Object.entries(bodies).flatMap(([what, body]) =>
    ["Warn", "Strict"].map((validation) => ({
      name: `created from ${what}, ${validation}`,
      steps: [create(maps, body, `?fieldValidation=${validation}`)],
    })),
  ),
  ...each("created with", queries, (query) => [create(maps, odd, `?${query}`), get(`${maps}/a`)]),
  { name: "created from something deep", steps: [create(maps, deep)] },
  { name: "created from bytes that are no text", steps: [create(maps, new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]))] },
  {
    name: "created from bytes that are no text, inside",
    steps: [
      create(
        maps,
        Buffer.concat([Buffer.from('{"metadata":{"name":"a"},"data":{"a":"'), Buffer.from([0xff]), Buffer.from('"}}')]),
      ),
    ],
  },
];

export const creationSequences: readonly Sequence[] = rows("a create", {
  twice: [create(maps, configMap("a")), create(maps, configMap("a"))],
  "again after it was deleted": [create(maps, configMap("a")), remove(`${maps}/a`), create(maps, configMap("a"))],
  "while it is being deleted": [
    create(maps, configMap("a", {}, { finalizers: ["example.test/x"] })),
    remove(`${maps}/a`),
    create(maps, configMap("a")),
    create(maps, { metadata: { generateName: "a" } }),
  ],
  "in no namespace": create("/api/v1/namespaces/nowhere-{id}/configmaps", configMap("a")),
  "of a Pod in no namespace": create("/api/v1/namespaces/nowhere-{id}/pods", pod("a")),
  "over all namespaces": create("/api/v1/configmaps", configMap("a")),
  "at a name": { send: `POST ${maps}/a`, body: configMap("a") },
  "of a status": { send: `POST ${pods}/a/status`, body: pod("a") },
  "without a type of body": { send: `POST ${maps}`, body: configMap("a"), type: "" },
  "as text": { send: `POST ${maps}`, body: configMap("a"), type: "text/plain" },
  "as YAML": { send: `POST ${maps}`, body: "metadata:\n  name: a\ndata:\n  a: '1'\n", type: "application/yaml" },
  "as YAML with a field twice": {
    send: `POST ${maps}?fieldValidation=Strict`,
    body: "metadata:\n  name: a\ndata:\n  a: '1'\n  a: '2'\n",
    type: "application/yaml",
  },
  "as YAML that is none": { send: `POST ${maps}`, body: "a: [\n", type: "application/yaml" },
  "as YAML of a number": {
    send: `POST ${maps}`,
    body: "metadata:\n  name: a\ndata:\n  a: 1\n",
    type: "application/yaml",
  },
  "as JSON in UTF-8": { send: `POST ${maps}`, body: configMap("a"), type: "application/json; charset=utf-8" },
  "as a patch": { send: `POST ${maps}`, body: configMap("a"), type: mergePatch },
  "as a form": { send: `POST ${maps}`, body: "a=b", type: "application/x-www-form-urlencoded" },
  "of something too large": create(maps, configMap("a", { data: { a: long(3_200_000) } })),
  "of data that is too long": create(maps, configMap("a", { data: { a: long(1_100_000) } })),
  "of a Secret": create(secrets, { metadata: { name: "a" }, stringData: { a: "x" }, data: { b: "eA==" } }),
  "that asks for metadata": {
    ...create(maps, configMap("a")),
    accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
  },
  "by a user agent of many words": {
    ...create(maps, configMap("a")),
    headers: { "user-agent": "kubectl/v1.36.3 (linux/amd64) kubernetes/abc" },
  },
  "by no user agent": { ...create(maps, configMap("a")), headers: { "user-agent": "" } },
  "by a user agent of a slash": { ...create(maps, configMap("a")), headers: { "user-agent": "/x" } },
  "by a long user agent": { ...create(maps, configMap("a")), headers: { "user-agent": long(200) } },
  "with a name in a dry run": [create(maps, { metadata: { generateName: "a-" } }, "?dryRun=All"), get(maps)],
  "of what there is, in a dry run": [create(maps, configMap("a")), create(maps, configMap("a"), "?dryRun=All")],
});
