import { Agent, request as httpsRequest } from "node:https";
import { jsonOfProtobuf } from "@stowage/embedded/protobuf";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { readCredentials } from "./kubeconfig-credentials.ts";

const { server, ...tls } = readCredentials(inject("kubeconfig"));
const agent = new Agent({ ...tls, keepAlive: true });
const namespace = "embedded-protobuf";

async function send(method: string, path: string, accept: string, body?: unknown): Promise<Buffer> {
  const text = body === undefined ? "" : JSON.stringify(body);
  const headers = { accept, "content-type": "application/json", "content-length": String(Buffer.byteLength(text)) };
  return await new Promise((resolve, reject) => {
    const call = httpsRequest(new URL(path, server), { agent, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const bytes = Buffer.concat(chunks);
        if ((response.statusCode ?? 500) < 300) resolve(bytes);
        else reject(new Error(`${method} ${path}: ${bytes.toString()}`));
      });
      response.on("error", reject);
    });
    call.on("error", reject);
    call.end(text);
  });
}

const json = "application/json";
const protobuf = "application/vnd.kubernetes.protobuf";
const podSpec = {
  containers: [
    {
      name: "a",
      image: "a",
      ports: [{ containerPort: 80 }],
      env: [
        { name: "A", value: "1" },
        { name: "B", valueFrom: { secretKeyRef: { name: "s", key: "k", optional: true } } },
        { name: "C", valueFrom: { resourceFieldRef: { resource: "limits.cpu", divisor: "1m" } } },
      ],
      envFrom: [{ configMapRef: { name: "c" } }],
      resources: { limits: { cpu: "1500m", memory: "1Gi" } },
      livenessProbe: { httpGet: { path: "/", port: "web" }, initialDelaySeconds: 3 },
      readinessProbe: { tcpSocket: { port: 80 } },
      volumeMounts: [{ name: "e", mountPath: "/e", mountPropagation: "HostToContainer" }],
    },
  ],
  volumes: [
    { name: "e", emptyDir: { sizeLimit: "1Gi" } },
    { name: "p", projected: { sources: [{ serviceAccountToken: { path: "t", expirationSeconds: 3600 } }] } },
    { name: "c", csi: { driver: "d", volumeAttributes: { a: "b" }, readOnly: false } },
    { name: "x", ephemeral: { volumeClaimTemplate: { spec: claim() } } },
  ],
  tolerations: [{ operator: "Exists", effect: "NoExecute", tolerationSeconds: 0 }],
  serviceAccountName: "runner",
  automountServiceAccountToken: false,
  terminationGracePeriodSeconds: 0,
};

function claim() {
  return { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
}

const objects: Readonly<Record<string, object>> = {
  [`/api/v1/namespaces/${namespace}/pods`]: { metadata: { name: "a", labels: { a: "" } }, spec: podSpec },
  [`/api/v1/namespaces/${namespace}/configmaps`]: {
    metadata: { name: "a" },
    data: { a: "" },
    binaryData: { b: "AQI=" },
  },
  [`/api/v1/namespaces/${namespace}/secrets`]: { metadata: { name: "a" }, stringData: { a: "b" }, immutable: false },
  [`/api/v1/namespaces/${namespace}/persistentvolumeclaims`]: { metadata: { name: "a" }, spec: claim() },
  [`/api/v1/namespaces/${namespace}/events`]: {
    metadata: { name: "a" },
    involvedObject: { namespace, kind: "Pod", name: "a" },
    eventTime: "2026-01-01T00:00:00.123456Z",
    reportingComponent: "a.b/c",
    reportingInstance: "c",
    action: "x",
    reason: "y",
    type: "Normal",
  },
  [`/apis/apps/v1/namespaces/${namespace}/deployments`]: {
    metadata: { name: "a" },
    spec: {
      replicas: 0,
      selector: { matchLabels: { a: "b" } },
      strategy: { rollingUpdate: { maxUnavailable: "30%", maxSurge: 0 } },
      template: {
        metadata: { labels: { a: "b" } },
        spec: { containers: podSpec.containers, volumes: podSpec.volumes },
      },
    },
  },
  [`/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`]: {
    metadata: { name: "a" },
    spec: { holderIdentity: "a", leaseDurationSeconds: 15, renewTime: "2026-01-01T00:00:00.000001Z" },
  },
  [`/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`]: {
    metadata: { name: "a" },
    spec: { minAvailable: "50%", selector: { matchExpressions: [{ key: "a", operator: "Exists" }] } },
  },
  [`/apis/storage.k8s.io/v1/namespaces/${namespace}/csistoragecapacities`]: {
    metadata: { name: "a" },
    storageClassName: "a",
    capacity: "100Gi",
  },
  "/apis/storage.k8s.io/v1/csidrivers": {
    metadata: { name: `a.${namespace}` },
    spec: { tokenRequests: [{ audience: "" }], volumeLifecycleModes: ["Ephemeral"] },
  },
  "/apis/apiextensions.k8s.io/v1/customresourcedefinitions": {
    metadata: { name: "things.protobuf.stowage.dev" },
    spec: {
      group: "protobuf.stowage.dev",
      scope: "Namespaced",
      names: { plural: "things", kind: "Thing" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                spec: {
                  type: "object",
                  properties: {
                    a: { type: "array", items: { type: "string", default: "x" }, maxItems: 0 },
                    b: { type: "object", additionalProperties: { type: "number", minimum: 0.5 } },
                    c: { "x-kubernetes-int-or-string": true, enum: [1, "a"] },
                  },
                },
              },
            },
          },
        },
      ],
    },
  },
};

/** JSON writes what structs without anything in them begin with; the binary form has no such thing. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, withoutEmpty(each)] as const);
  return Object.fromEntries(
    entries.filter(([, each]) => each !== null && !(typeof each === "object" && Object.keys(each).length === 0)),
  );
}

describe("what clients send in the binary form", () => {
  beforeAll(async () => {
    await send("POST", "/api/v1/namespaces", json, { metadata: { name: namespace } });
    // A Pod is let in only when its account is there; the controllers may be slow to make it.
    await send("POST", `/api/v1/namespaces/${namespace}/serviceaccounts`, json, { metadata: { name: "runner" } });
  });

  afterAll(async () => {
    await send("DELETE", `/api/v1/namespaces/${namespace}`, json);
    agent.destroy();
  });

  for (const [path, object] of Object.entries(objects)) {
    it(`is read as the JSON of the same object: ${path.split("/").at(-1)}`, async () => {
      const created = await send("POST", `${path}?dryRun=All`, json, object);
      const plain = JSON.parse(created.toString()) as { metadata: Record<string, unknown> };
      const binary = await send("POST", `${path}?dryRun=All`, protobuf, object);
      const read = JSON.parse(jsonOfProtobuf(binary) ?? "") as { metadata: Record<string, unknown> };
      for (const each of [plain, read]) {
        delete each.metadata["uid"];
        delete each.metadata["creationTimestamp"];
        delete each.metadata["managedFields"];
      }
      expect(withoutEmpty(read)).toEqual(withoutEmpty(plain));
    });
  }

  it("is not read when it is cut off", async () => {
    const path = `/api/v1/namespaces/${namespace}`;
    const binary = await send("GET", path, protobuf);
    expect(jsonOfProtobuf(binary)).toContain(namespace);
    expect(jsonOfProtobuf(binary.subarray(0, -3))).toBeUndefined();
    expect(jsonOfProtobuf(Buffer.from("k8s"))).toBeUndefined();
  });
});
