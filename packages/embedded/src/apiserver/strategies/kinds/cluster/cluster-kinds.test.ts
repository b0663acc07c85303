import { describe, expect, it } from "vitest";
import { WriteScene } from "../../../verbs/writes/write-scene.ts";

const core = "/api/v1/namespaces/default";
const rbac = "/apis/rbac.authorization.k8s.io/v1";

describe("a Namespace", () => {
  it("has its name as a label, whatever its client says", async () => {
    using scene = new WriteScene();
    const label = "kubernetes.io/metadata.name";
    const made = await scene.send("POST /api/v1/namespaces", { metadata: { name: "a", labels: { [label]: "b" } } });
    expect(made.object.metadata.labels).toEqual({ [label]: "a" });
    const changed = await scene.patch("/api/v1/namespaces/a", { metadata: { labels: null } });
    expect(changed.object.metadata.labels).toEqual({ [label]: "a" });
  });
});

describe("a Node", () => {
  it("tells of itself when it is made, and keeps where it comes from", async () => {
    using scene = new WriteScene();
    const node = { metadata: { name: "n" }, spec: { providerID: "p://1" }, status: { capacity: { cpu: "4" } } };
    const { object } = await scene.send("POST /api/v1/nodes", node);
    expect(object.status).toMatchObject({ capacity: { cpu: "4" }, allocatable: { cpu: "4" } });
    const { code } = await scene.patch("/api/v1/nodes/n", { spec: { providerID: "p://2" } });
    expect(code).toBe(422);
  });
});

describe("a LimitRange", () => {
  it("gives containers what they can have at most, unless it says less", async () => {
    using scene = await WriteScene.withNamespace();
    const limits = [{ type: "Container", max: { cpu: "2" }, min: { memory: "1Mi" } }];
    const { object } = await scene.send(`POST ${core}/limitranges`, { metadata: { name: "l" }, spec: { limits } });
    expect(object.spec.limits[0]).toMatchObject({
      default: { cpu: "2" },
      defaultRequest: { cpu: "2", memory: "1Mi" },
    });
  });
});

describe("a ResourceQuota", () => {
  it("counts only what its scopes can", async () => {
    using scene = await WriteScene.withNamespace();
    const spec = { hard: { cpu: "1" }, scopes: ["BestEffort"] };
    const { object } = await scene.send(`POST ${core}/resourcequotas`, { metadata: { name: "q" }, spec });
    expect(object.message).toContain("unsupported scope applied to resource");
  });
});

describe("a binding", () => {
  it("keeps its role and knows the group of users", async () => {
    using scene = await WriteScene.withNamespace();
    const roleRef = { kind: "ClusterRole", name: "view" };
    const binding = { metadata: { name: "b" }, roleRef, subjects: [{ kind: "User", name: "ann" }] };
    const { object } = await scene.send(`POST ${rbac}/clusterrolebindings`, binding);
    expect(object.subjects).toMatchObject([{ apiGroup: "rbac.authorization.k8s.io" }]);
    const changed = await scene.patch(`${rbac}/clusterrolebindings/b`, { roleRef: { name: "edit" } });
    expect(changed.object.message).toContain("cannot change roleRef");
  });
});

describe("an Event", () => {
  const event = { metadata: { name: "e" }, regarding: { namespace: "default" }, type: "Normal" };

  it("is checked by the newer group alone", async () => {
    using scene = await WriteScene.withNamespace();
    const refused = await scene.send("POST /apis/events.k8s.io/v1/namespaces/default/events", event);
    expect(refused.object.message).toBe('Event "e" is invalid: eventTime: Required value');
    const old = { metadata: { name: "e" }, involvedObject: { namespace: "default" } };
    expect((await scene.send(`POST ${core}/events`, old)).code).toBe(201);
  });
});

describe("a CertificateSigningRequest", () => {
  const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
  const spec = { request: "eA==", signerName: "example.test/s" };

  it("says what for, and for long enough", async () => {
    using scene = new WriteScene();
    const usages = ["client auth", "theft", "client auth"];
    const made = await scene.send(`POST ${path}`, {
      metadata: { name: "a" },
      spec: { ...spec, usages, expirationSeconds: 1 },
    });
    expect(made.code).toBe(422);
    expect(made.object.details.causes.map(({ field }: { field: string }) => field)).toEqual([
      "spec.usages[1]",
      "spec.usages[2]",
      "spec.expirationSeconds",
    ]);
  });

  it("gets the time of conditions that have none, and keeps it while they hold", async () => {
    using scene = new WriteScene();
    await scene.send(`POST ${path}`, { metadata: { name: "a" }, spec: { ...spec, usages: ["client auth"] } });
    const failed = (message: string) => ({ status: { conditions: [{ type: "Failed", status: "True", message }] } });
    const first = (await scene.patch(`${path}/a/status`, failed("a"))).object.status.conditions[0];
    const second = (await scene.patch(`${path}/a/status`, failed("b"))).object.status.conditions[0];
    expect(first.lastTransitionTime).toMatch(/Z$/);
    expect(second).toMatchObject({ message: "b", lastTransitionTime: first.lastTransitionTime });
  });
});
