import { describe, expect, it } from "vitest";
import { AdmissionScene } from "./admission-scene.ts";

const classes = "/apis/storage.k8s.io/v1/storageclasses";
const claims = "/api/v1/namespaces/default/persistentvolumeclaims";
const quotas = "/api/v1/namespaces/default/resourcequotas";

const storageClass = (name: string, isDefault: boolean, more: object = {}) => ({
  metadata: { name, annotations: { "storageclass.kubernetes.io/is-default-class": String(isDefault) } },
  provisioner: "example.test/p",
  ...more,
});

describe("a Pod that is admitted", () => {
  it("runs as an account, with its token, a priority and what it tolerates", async () => {
    using scene = await AdmissionScene.started();
    const { code, object } = await scene.createPod();
    expect(code).toBe(201);
    expect(object.spec).toMatchObject({
      serviceAccountName: "default",
      priority: 0,
      preemptionPolicy: "PreemptLowerPriority",
      containers: [{ volumeMounts: [{ name: "kube-api-access-bbbbb", readOnly: true }] }],
      volumes: [{ name: "kube-api-access-bbbbb", projected: { defaultMode: 420 } }],
    });
    expect(object.spec.tolerations.map(({ key }: { key: string }) => key)).toEqual([
      "node.kubernetes.io/not-ready",
      "node.kubernetes.io/unreachable",
    ]);
  });

  it("is refused when it would run as nobody, or with a priority that nobody knows", async () => {
    using scene = await AdmissionScene.started();
    const nobody = await scene.createPod({ serviceAccountName: "none" });
    expect(nobody.object).toMatchObject({
      code: 403,
      message: 'pods "a" is forbidden: error looking up service account default/none: serviceaccount "none" not found',
    });
    const unknown = await scene.createPod({ priorityClassName: "none" });
    expect(unknown.object.message).toBe('pods "a" is forbidden: no PriorityClass with name none was found');
  });

  it("does not own what was added to it", async () => {
    using scene = await AdmissionScene.started();
    const { object } = await scene.createPod();
    expect(JSON.stringify(object.metadata.managedFields)).not.toMatch(/kube-api-access|f:tolerations|f:priority/u);
  });

  it("is held to what its namespace allows, and to nothing by default", async () => {
    using scene = await AdmissionScene.started();
    expect((await scene.createPod({ hostPID: true })).code).toBe(201);
    const labels = { "pod-security.kubernetes.io/enforce": "baseline" };
    const { warnings } = await scene.writes.patch("/api/v1/namespaces/default", { metadata: { labels } });
    expect(warnings).toEqual([
      'existing pods in namespace "default" violate the new PodSecurity enforce level "baseline:latest"',
      "a: host namespaces",
    ]);
    const { object } = await scene.createPod({ hostPID: true }, { name: "b" });
    expect(object.message).toBe(
      'pods "b" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostPID=true)',
    );
  });
});

describe("storage that is admitted", () => {
  it("gets the newest default class, unless it says which", async () => {
    using scene = await AdmissionScene.started();
    expect((await scene.createClaim()).object.spec).not.toHaveProperty("storageClassName");
    await scene.create(classes, storageClass("old", true));
    scene.writes.nowMs += 1000;
    await scene.create(classes, storageClass("new", true));
    await scene.create(classes, storageClass("newest", false));
    expect((await scene.createClaim({}, "b")).object.spec.storageClassName).toBe("new");
    expect((await scene.createClaim({ storageClassName: "" }, "c")).object.spec.storageClassName).toBe("");
  });

  it("is kept from being deleted while it is used", async () => {
    using scene = await AdmissionScene.started();
    const { object } = await scene.createClaim();
    expect(object.metadata.finalizers).toEqual(["kubernetes.io/pvc-protection"]);
    await scene.writes.send(`DELETE ${claims}/a`);
    expect(scene.writes.kept("/registry/core/persistentvolumeclaims/default/a")).toBeDefined();
  });

  it("grows when it is bound and its class allows it", async () => {
    using scene = await AdmissionScene.started();
    await scene.create(classes, storageClass("c", false, { allowVolumeExpansion: true }));
    await scene.createClaim({ storageClassName: "c" });
    const grow = () => scene.writes.patch(`${claims}/a`, { spec: { resources: { requests: { storage: "2Gi" } } } });
    expect((await grow()).code).not.toBe(200);
    await scene.writes.patch(`${claims}/a/status`, { status: { phase: "Bound", capacity: { storage: "1Gi" } } });
    expect((await grow()).code).toBe(200);
    await scene.writes.patch(`${classes}/c`, { allowVolumeExpansion: false });
    const { object } = await scene.writes.patch(`${claims}/a`, {
      spec: { resources: { requests: { storage: "3Gi" } } },
    });
    expect(object.message).toMatch(/the storageclass that provisions the pvc must support resize$/u);
  });
});

describe("a quota", () => {
  async function withQuota(hard: Readonly<Record<string, string>>): Promise<AdmissionScene> {
    const scene = await AdmissionScene.started();
    await scene.create("namespaces/default/resourcequotas", { metadata: { name: "q" }, spec: { hard } });
    const used = Object.fromEntries(Object.keys(hard).map((name) => [name, "0"]));
    await scene.writes.patch(`${quotas}/q/status`, { status: { hard, used } });
    return scene;
  }
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever the quota has
  const usedOf = (scene: AdmissionScene): any =>
    // oxlint-disable-next-line typescript/no-explicit-any -- as above
    (scene.writes.kept("/registry/core/resourcequotas/default/q") as any).status.used;

  it("counts what is created, and refuses what is too much", async () => {
    using scene = await withQuota({ persistentvolumeclaims: "1" });
    expect((await scene.createClaim()).code).toBe(201);
    expect(usedOf(scene)).toEqual({ persistentvolumeclaims: "1" });
    const { object } = await scene.createClaim({}, "b");
    expect(object.message).toBe(
      'persistentvolumeclaims "b" is forbidden: exceeded quota: q, requested: persistentvolumeclaims=1, used: persistentvolumeclaims=1, limited: persistentvolumeclaims=1',
    );
  });

  it("is not charged for what does not come to be, or for dry runs", async () => {
    using scene = await withQuota({ "count/configmaps": "5" });
    const map = { metadata: { name: "a" } };
    await scene.create("namespaces/default/configmaps", map, "?dryRun=All");
    expect(usedOf(scene)).toEqual({ "count/configmaps": "0" });
    await scene.create("namespaces/default/configmaps", map);
    expect((await scene.create("namespaces/default/configmaps", map)).code).toBe(409);
    expect(usedOf(scene)).toEqual({ "count/configmaps": "1" });
  });
});

describe("a request for a certificate", () => {
  it("is of whoever sends it, whatever it says", async () => {
    using scene = await AdmissionScene.started();
    const spec = { request: "eA==", signerName: "example.test/s", usages: ["client auth"], username: "else", uid: "u" };
    const { object } = await scene.create("/apis/certificates.k8s.io/v1/certificatesigningrequests", {
      metadata: { name: "a" },
      spec,
    });
    expect(object.spec.username).not.toBe("else");
    expect(object.spec).not.toHaveProperty("uid");
  });
});

describe("a Pod that is refused", () => {
  it("is warned of all the same", async () => {
    using scene = await AdmissionScene.started();
    const labels = { "pod-security.kubernetes.io/enforce": "baseline" };
    await scene.writes.patch("/api/v1/namespaces/default", { metadata: { labels } });
    const nodeSelector = { "beta.kubernetes.io/os": "linux" };
    const { code, warnings } = await scene.createPod({ hostPID: true, nodeSelector });
    expect(code).toBe(403);
    expect(warnings?.join()).toContain("beta.kubernetes.io/os");
  });
});

describe("the ports on nodes", () => {
  const services = "namespaces/default/services";
  const service = (name: string, nodePort?: number) => ({
    metadata: { name },
    spec: { type: "NodePort", ports: [{ port: 80, nodePort }] },
  });

  it("are left to those who choose one, as far as the first of them go", async () => {
    using scene = await AdmissionScene.started();
    expect((await scene.create(services, service("a"))).object.spec.ports[0].nodePort).toBe(30_086);
    expect((await scene.create(services, service("b", 30_000))).code).toBe(201);
    expect((await scene.create(services, service("c", 30_000))).object.message).toContain("already allocated");
  });

  it("come to an end", async () => {
    using scene = await AdmissionScene.started();
    const ports = (first: number) =>
      Array.from({ length: 100 }, (_, index) => ({ port: 1 + index, name: `p${index}`, nodePort: first + index }));
    for (let first = 30_000; first < 32_700; first += 100) {
      const spec = { type: "NodePort", ports: ports(first) };
      expect((await scene.create(services, { metadata: { name: `s${first}` }, spec })).code).toBe(201);
    }
    const last = { type: "NodePort", ports: ports(32_700).slice(0, 68) };
    expect((await scene.create(services, { metadata: { name: "last" }, spec: last })).code).toBe(201);
    const { code, object } = await scene.create(services, service("more"));
    expect([code, object.message]).toEqual([
      500,
      "Internal error occurred: failed to allocate a nodePort: range is full",
    ]);
  });
});
