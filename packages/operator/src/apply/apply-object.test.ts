import { FakeInformer } from "@stowage/kube/testing";
import type { ConfigMap, CSIDriver, KubernetesObject } from "@stowage/machinery";
import { beforeEach, describe, expect, it, test } from "vitest";
import { RecordedEvents } from "../fixtures/recorded-events.ts";
import { MemoryClient, refusal } from "../testing/index.ts";
import { type ApplyDeps, localCopies } from "./apply-deps.ts";
import { applyObject } from "./apply-object.ts";
import { deleteObject } from "./delete-object.ts";

const wanted: ConfigMap = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", namespace: "n" },
  data: { x: "1" },
};
const other = { ...wanted, data: { x: "2" } };
const driver = (attachRequired: boolean): CSIDriver => ({
  apiVersion: "storage.k8s.io/v1",
  kind: "CSIDriver",
  metadata: { name: "d" },
  spec: { attachRequired },
});

let server: MemoryClient;
let events: RecordedEvents;
let deps: ApplyDeps;

beforeEach(() => {
  server = new MemoryClient();
  events = new RecordedEvents();
  deps = { client: server, mapper: server.mapper, events, known: new Set() };
});

/** Copies that a test fills by hand. */
function copiesOf(...objects: KubernetesObject[]) {
  const type = { group: "", version: "v1", plural: "configmaps", kind: "ConfigMap", namespaced: true };
  const get = ({ name }: { name: string }) => objects.find(({ metadata }) => metadata.name === name);
  return localCopies([{ informer: { type, objects: { get } as never, hasSynced: true } }]);
}

describe("applying", () => {
  it("creates what is not known, without reading first", async () => {
    expect((await applyObject(deps, wanted)).change).toBe("created");
    expect(server.requests).toEqual(["POST configmaps/n/a"]);
    expect(events.lines).toEqual(["Normal ConfigMapCreated Created ConfigMap/a -n n because it was missing"]);
  });

  it("reads what it has seen before, and then writes nothing when nothing differs", async () => {
    await applyObject(deps, wanted);
    expect(await applyObject(deps, wanted)).toMatchObject({ change: "none", object: { data: { x: "1" } } });
    expect(server.requests).toEqual(["POST configmaps/n/a", "GET configmaps/n/a"]);
    expect(events.lines).toHaveLength(1);
  });

  it("creates again what was seen and is gone", async () => {
    await applyObject(deps, wanted);
    server.objects.clear();
    expect((await applyObject(deps, wanted)).change).toBe("created");
  });

  it("remembers what it wrote until the watch tells of the object, and no longer", async () => {
    const informer = new FakeInformer();
    const local = localCopies([{ informer }]);
    const plain: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { x: "1" } };
    const copied = { ...deps, local };
    await applyObject(copied, plain);
    expect((await applyObject(copied, plain)).change).toBe("none");
    expect(server.requests).toHaveLength(1);
    informer.set("a", { x: "1" });
    server.objects.clear();
    informer.delete("a");
    expect((await applyObject(copied, plain)).change).toBe("created");
  });

  it("takes over what is there already", async () => {
    server.set("configmaps", other);
    expect((await applyObject(deps, wanted)).change).toBe("updated");
    expect(server.requests).toEqual(["POST configmaps/n/a", "GET configmaps/n/a", "PUT configmaps/n/a"]);
    expect(events.lines).toEqual(["Normal ConfigMapUpdated Updated ConfigMap/a -n n:\ncause by changes in data.x"]);
  });

  it("asks the server nothing when the local copy is as wanted", async () => {
    const local = copiesOf(wanted);
    expect((await applyObject({ ...deps, local }, wanted)).change).toBe("none");
    expect(server.requests).toEqual([]);
  });

  it("creates first what the local copies would have, seen before or not", async () => {
    await applyObject(deps, wanted);
    server.objects.clear();
    await applyObject({ ...deps, local: copiesOf() }, wanted);
    expect(server.requests).toEqual(["POST configmaps/n/a", "POST configmaps/n/a"]);
  });

  it("reads again when its copy is outdated, and tells of no failure", async () => {
    server.set("configmaps", other);
    const outdated = { ...other, metadata: { ...other.metadata, resourceVersion: "0" } };
    expect((await applyObject({ ...deps, local: copiesOf(outdated) }, wanted)).change).toBe("updated");
    expect(server.requests).toEqual(["PUT configmaps/n/a", "GET configmaps/n/a", "PUT configmaps/n/a"]);
    expect(events.lines).toHaveLength(1);
  });

  it("reads when its copy is older than what it last wrote, and so does not write that again", async () => {
    const thing: KubernetesObject & { spec: object } = {
      apiVersion: "x.test/v1",
      kind: "Thing",
      metadata: { name: "t", namespace: "n" },
      spec: { a: 1 },
    };
    const { object: first } = await applyObject(deps, thing);
    const second = { ...thing, spec: { a: 2 } };
    const { object: written } = await applyObject(deps, second, { lastGeneration: first.metadata.generation });
    const local = { covers: () => true, find: () => first };
    server.requests.length = 0;
    const { generation } = written.metadata;
    expect((await applyObject({ ...deps, local }, second, { lastGeneration: generation })).change).toBe("none");
    expect(server.requests).toEqual(["GET things/n/t"]);
  });

  it("creates what its copy still has and the server does not", async () => {
    expect((await applyObject({ ...deps, local: copiesOf(other) }, wanted)).change).toBe("created");
  });

  it("gives up when somebody else is faster each time", async () => {
    server.set("configmaps", other);
    server.before = (request) => request.startsWith("PUT") && server.set("configmaps", other);
    await expect(applyObject(deps, wanted)).rejects.toMatchObject({ reason: "Conflict" });
    expect(server.requests.filter((request) => request.startsWith("PUT"))).toHaveLength(3);
  });

  test.each([
    ["POST", [], "Warning ConfigMapCreateFailed Failed to create ConfigMap/a -n n: "],
    ["PUT", [other], "Warning ConfigMapUpdateFailed Failed to update ConfigMap/a -n n: "],
  ])("tells of a %s that is refused", async (verb, there, event) => {
    for (const object of there) server.set("configmaps", object);
    server.before = (request) => {
      if (request.startsWith(verb) && (verb === "PUT" || there.length === 0)) throw refusal(403, "Forbidden");
    };
    await expect(applyObject(deps, wanted)).rejects.toMatchObject({ reason: "Forbidden" });
    expect(events.lines).toHaveLength(1);
    expect(events.lines[0]).toContain(event);
  });

  it("does not tell what the server says of a Secret", async () => {
    server.before = () => {
      throw refusal(422, "Invalid");
    };
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "s", namespace: "n" } };
    await expect(applyObject(deps, secret)).rejects.toThrow("Invalid");
    expect(events.lines).toEqual(["Warning SecretCreateFailed Failed to create Secret/s -n n: Invalid"]);
  });

  it("makes anew what cannot be changed", async () => {
    await applyObject(deps, driver(true));
    expect((await applyObject(deps, driver(false))).change).toBe("recreated");
    expect(server.requests.slice(1)).toEqual(["GET csidrivers/d", "DELETE csidrivers/d", "POST csidrivers/d"]);
    expect(events.lines.slice(1)).toEqual([
      "Normal CSIDriverDeleted Deleted CSIDriver.storage.k8s.io/d:\nDeleting CSIDriver to re-create it with updated parameters",
      "Normal CSIDriverCreated Created CSIDriver.storage.k8s.io/d because it was missing",
    ]);
  });

  it("says what it waits for when the old object lingers", async () => {
    await applyObject(deps, driver(true));
    server.delete = async () => ({ gone: true });
    await expect(applyObject(deps, driver(false))).rejects.toMatchObject({ code: "OBJECT_BEING_DELETED" });
  });

  it("does not change what is being deleted", async () => {
    server.set("configmaps", { ...other, metadata: { ...other.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } });
    await expect(applyObject(deps, wanted)).rejects.toMatchObject({ code: "OBJECT_BEING_DELETED" });
  });

  it("leaves out optional kinds that the cluster does not have, and only those", async () => {
    server.missingKinds.add("ConfigMap");
    expect((await applyObject(deps, wanted, { optional: true })).change).toBe("skipped");
    await expect(applyObject(deps, wanted)).rejects.toMatchObject({ code: "KIND_NOT_SERVED" });
    expect(server.requests).toEqual([]);
  });

  it("leaves out an optional kind that has gone since it was last looked up, and only that", async () => {
    server.before = (request) => {
      if (request.startsWith("POST")) throw refusal(404, "NotFound");
    };
    const invalidate = () => void server.missingKinds.add("ConfigMap");
    const forgetting = { ...deps, mapper: { ...server.mapper, invalidate } };
    expect((await applyObject(forgetting, wanted, { optional: true })).change).toBe("skipped");
    expect(events.lines).toEqual([]);
    server.missingKinds.clear();
    // As when its namespace is missing.
    await expect(applyObject(deps, wanted, { optional: true })).rejects.toMatchObject({ reason: "NotFound" });
    await expect(applyObject(forgetting, wanted)).rejects.toMatchObject({ reason: "NotFound" });
  });
});

describe("deleting", () => {
  it("deletes what is there and tells of it", async () => {
    server.set("configmaps", wanted);
    expect(await deleteObject(deps, wanted)).toBe("deleted");
    expect(events.lines).toEqual(["Normal ConfigMapDeleted Deleted ConfigMap/a -n n"]);
  });

  it("is content when there is nothing, or not even the kind", async () => {
    expect(await deleteObject(deps, wanted)).toBe("none");
    server.missingKinds.add("ConfigMap");
    expect(await deleteObject(deps, wanted)).toBe("none");
    expect(events.lines).toEqual([]);
  });

  it("asks the server nothing when the local copies would have it", async () => {
    expect(await deleteObject({ ...deps, local: copiesOf() }, wanted)).toBe("none");
    const deleting = { ...wanted, metadata: { ...wanted.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } };
    expect(await deleteObject({ ...deps, local: copiesOf(deleting) }, wanted)).toBe("deleting");
    expect(server.requests).toEqual([]);
  });

  it("tells of a refusal", async () => {
    server.before = () => {
      throw refusal(403, "Forbidden");
    };
    await expect(deleteObject(deps, wanted)).rejects.toMatchObject({ reason: "Forbidden" });
    expect(events.lines[0]).toContain("Warning ConfigMapDeleteFailed Failed to delete ConfigMap/a -n n: ");
  });
});
