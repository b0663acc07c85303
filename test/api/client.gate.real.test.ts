import {
  createClient,
  createInformer,
  createTransport,
  isAlreadyExists,
  isConflict,
  isForbidden,
  isInvalid,
  isNotFound,
  type KubeClient,
  loadKubeconfig,
  type Transport,
} from "@stowage/kube";
import {
  configMaps,
  metadataOnly,
  namespaces,
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
  secrets,
  serviceAccounts,
  silentLogger,
  systemClock,
} from "@stowage/machinery";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

let transport: Transport;
let client: KubeClient;
let namespace: string;

beforeAll(async () => {
  const connection = await loadKubeconfig({ path: inject("kubeconfig"), env: {}, homeDir: "/" });
  transport = createTransport(connection);
  client = createClient({ transport });
  namespace = (await client.create(namespaces, { metadata: { generateName: "client-" } })).metadata.name as string;
});
afterAll(async () => {
  await client.delete(namespaces, { name: namespace });
  transport.close();
});

const configMap = (name: string, data: Record<string, string> = {}, labels: Record<string, string> = {}) => ({
  metadata: { namespace, name, labels },
  data,
});

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail("it should have failed"),
    (error: unknown) => error,
  );
}

describe("the client and a real API server", () => {
  it("create, read, update and delete an object", async () => {
    const created = await client.create(configMaps, configMap("life", { a: "1" }));
    expect(created).toMatchObject({ apiVersion: "v1", kind: "ConfigMap", data: { a: "1" } });
    const updated = await client.update(configMaps, { ...created, data: { a: "2" } });
    expect(updated.data).toEqual({ a: "2" });
    expect(isConflict(await failureOf(client.update(configMaps, { ...created, data: { a: "3" } })))).toBe(true);
    expect(isAlreadyExists(await failureOf(client.create(configMaps, configMap("life"))))).toBe(true);
    const ref = { namespace, name: "life" };
    expect(isConflict(await failureOf(client.delete(configMaps, ref, { preconditions: { uid: "another" } })))).toBe(
      true,
    );
    expect(await client.delete(configMaps, ref)).toEqual({ gone: true });
    expect(isNotFound(await failureOf(client.get(configMaps, ref)))).toBe(true);
    expect(await client.find(configMaps, ref)).toBeUndefined();
  });

  it("leave nothing behind after a dry run", async () => {
    await client.create(configMaps, configMap("dry"), { dryRun: true });
    expect(await client.find(configMaps, { namespace, name: "dry" })).toBeUndefined();
  });

  it("say which fields are wrong", async () => {
    const failure = await failureOf(client.create(configMaps, configMap("Not_A_Name")));
    if (!isInvalid(failure)) throw failure;
    expect(failure.status.details?.causes?.[0]?.field).toBe("metadata.name");
  });

  it("patch in all three ways", async () => {
    const ref = { namespace, name: "patched" };
    await client.create(configMaps, configMap("patched", { a: "1" }));
    await client.patch(configMaps, ref, { type: "json", patch: [{ op: "add", path: "/data/b", value: "2" }] });
    await client.patch(configMaps, ref, { type: "merge", patch: { data: { c: "3", a: null } } });
    const patch = { metadata: { finalizers: ["stowage.example/kept"] } };
    const patched = await client.patch(configMaps, ref, { type: "strategic", patch });
    expect(patched.data).toEqual({ b: "2", c: "3" });
    const deleted = await client.delete(configMaps, ref);
    expect(deleted).toMatchObject({ gone: false, object: { metadata: { finalizers: ["stowage.example/kept"] } } });
    await client.patch(configMaps, ref, { type: "merge", patch: { metadata: { finalizers: null } } });
    expect(await client.find(configMaps, ref)).toBeUndefined();
  });

  it("apply on the server's side, with conflicts and force", async () => {
    const apply = (fieldManager: string, value: string, force?: boolean) =>
      client.apply(
        configMaps,
        { metadata: { namespace, name: "applied" }, data: { key: value } },
        { fieldManager, force },
      );
    expect((await apply("one", "1")).data).toEqual({ key: "1" });
    expect(isConflict(await failureOf(apply("two", "2")))).toBe(true);
    expect((await apply("two", "2", true)).data).toEqual({ key: "2" });
  });

  it("write a status apart from its object", async () => {
    const claim = await client.create(persistentVolumeClaims, {
      metadata: { namespace, name: "claim" },
      spec: { accessModes: ["ReadWriteOnce"], storageClassName: "", resources: { requests: { storage: "1Gi" } } },
    });
    const patch = { status: { phase: "Lost" } };
    const patched = await client.patch(
      persistentVolumeClaims,
      { namespace, name: "claim" },
      { type: "merge", patch },
      { subresource: "status" },
    );
    expect(patched.status?.phase).toBe("Lost");
    const unchanged: PersistentVolumeClaim = await client.update(persistentVolumeClaims, {
      ...claim,
      metadata: { ...claim.metadata, resourceVersion: undefined },
      status: { phase: "Bound" },
    });
    expect(unchanged.status?.phase).not.toBe("Bound");
  });

  it("ask for a token, and act with it as far as its rights go", async () => {
    await client.create(serviceAccounts, { metadata: { namespace, name: "limited" } });
    const { status } = await client.createSubresource<{ status: { token: string } }>(
      serviceAccounts,
      { namespace, name: "limited", subresource: "token" },
      { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: 600 } },
    );
    const connection = await loadKubeconfig({ path: inject("kubeconfig"), env: {}, homeDir: "/" });
    const limited = createTransport({ ...connection, credentials: { token: status.token } });
    const failure = await failureOf(createClient({ transport: limited }).list(secrets, { namespace }));
    limited.close();
    expect(isForbidden(failure)).toBe(true);
    expect(String(failure)).toContain(`system:serviceaccount:${namespace}:limited`);
    expect(String(failure)).not.toContain(status.token);
  });

  it("list in pages of one version, by selector, and by metadata alone", async () => {
    const names = Array.from({ length: 7 }, (_, index) => `page-${index}`);
    for (const name of names) await client.create(configMaps, configMap(name, { big: "x" }, { set: "pages" }));
    const selection = { namespace, labelSelector: "set=pages" };
    const pages: string[][] = [];
    for await (const page of client.listPages(configMaps, { ...selection, limit: 3 })) {
      pages.push(page.items.map(({ metadata }) => metadata.name as string));
    }
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
    expect(pages.flat()).toEqual(names);
    const light = await client.listAll(metadataOnly(configMaps), { ...selection, limit: 2 });
    expect(light.items.map(({ kind }) => kind)).toEqual(names.map(() => "ConfigMap"));
    expect(light.items.every((item) => !("data" in item))).toBe(true);
    await client.deleteCollection(configMaps, selection);
    expect((await client.list(configMaps, selection)).items).toEqual([]);
  });
});

describe("informers and a real API server", () => {
  it.each([
    ["streamed", true],
    ["paged", false],
  ])("follow a %s list, whole objects and metadata alone", async (how, streamInitialEvents) => {
    const labelSelector = `follow=${how}`;
    const volume = (name: string): Omit<PersistentVolume, "apiVersion" | "kind"> => ({
      metadata: { name: `${namespace}-${how}-${name}`, labels: { follow: how } },
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteOnce"],
        csi: { driver: "follow.stowage.example", volumeHandle: name },
      },
    });
    await client.create(persistentVolumes, volume("before"));
    const stop = new AbortController();
    const deps = {
      client,
      clock: systemClock,
      logger: silentLogger,
      selection: { labelSelector },
      streamInitialEvents,
    };
    const whole = createInformer({ ...deps, type: persistentVolumes });
    const light = createInformer({ ...deps, type: metadataOnly(persistentVolumes) });
    const running = [whole.run(stop.signal), light.run(stop.signal)];
    await Promise.all([whole.waitForSync(), light.waitForSync()]);
    await client.create(persistentVolumes, volume("after"));
    const handles = () => whole.objects.list().map(({ spec }) => spec?.csi?.volumeHandle);
    await expect.poll(handles, { timeout: 60_000 }).toEqual(["before", "after"]);
    await expect.poll(() => light.objects.size, { timeout: 60_000 }).toBe(2);
    expect(light.objects.list().every((object) => object.kind === "PersistentVolume" && !("spec" in object))).toBe(
      true,
    );
    expect(whole.objects.list().every(({ metadata }) => metadata.managedFields === undefined)).toBe(true);
    await client.deleteCollection(persistentVolumes, { labelSelector });
    await client.list(persistentVolumes, { labelSelector });
    const finalizers = { type: "merge", patch: { metadata: { finalizers: null } } } as const;
    for (const object of whole.objects.list()) {
      await client.patch(persistentVolumes, { name: object.metadata.name as string }, finalizers).catch(() => {});
    }
    await expect.poll(() => [whole.objects.size, light.objects.size], { timeout: 60_000 }).toEqual([0, 0]);
    stop.abort();
    await Promise.all(running);
  });
});
