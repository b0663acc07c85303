import type { Informer, InformerHandler } from "@stowage/kube";
import { type PersistentVolumeClaim, persistentVolumeClaims } from "@stowage/machinery";
import { expect, it } from "vitest";
import { latestObjects } from "./latest-objects.ts";

function claim(version: number, metadata: PersistentVolumeClaim["metadata"] = {}): PersistentVolumeClaim {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { namespace: "n", name: "c", resourceVersion: String(version), ...metadata },
  };
}

/** A cache whose watch is the test. */
function cache() {
  const objects = new Map<string, PersistentVolumeClaim>();
  const handlers: InformerHandler<PersistentVolumeClaim>[] = [];
  const deleted: PersistentVolumeClaim[] = [];
  const informer = {
    type: persistentVolumeClaims,
    objects: { getByKey: (key: string) => objects.get(key) },
    addHandler(added: InformerHandler<PersistentVolumeClaim>) {
      handlers.push(added);
    },
  } as unknown as Informer<PersistentVolumeClaim>;
  const bring = (object: PersistentVolumeClaim | undefined) => {
    const last = objects.get("n/c");
    if (object === undefined) objects.delete("n/c");
    else objects.set("n/c", object);
    for (const handler of handlers) {
      handler.onKey?.("n/c");
      if (object === undefined && last !== undefined) handler.onDelete?.(last, { isFinalStateUnknown: true });
    }
  };
  return { latest: latestObjects(informer, { onDelete: (last) => void deleted.push(last) }), bring, deleted };
}

it("knows what was written until the watch brings it, or something newer", () => {
  const { latest, bring } = cache();
  bring(claim(9));
  expect(latest.wrote(claim(10)).metadata.resourceVersion).toBe("10");
  expect(latest.get({ namespace: "n", name: "c" })?.metadata.resourceVersion).toBe("10");
  bring(claim(11));
  expect(latest.getByKey("n/c")?.metadata.resourceVersion).toBe("11");
});

it("does not take an answer that is late for news", () => {
  const { latest, bring } = cache();
  bring(claim(100));
  latest.wrote(claim(99));
  expect(latest.getByKey("n/c")?.metadata.resourceVersion).toBe("100");
});

it("forgets what was written when the watch says that it was deleted", () => {
  const { latest, bring } = cache();
  bring(claim(9));
  latest.wrote(claim(10));
  bring(undefined);
  expect(latest.getByKey("n/c")).toBeUndefined();
});

it("knows that who takes off the last finalizer has deleted the object", () => {
  const { latest, bring } = cache();
  const deletionTimestamp = "2026-01-31T15:04:05Z";
  bring(claim(9, { deletionTimestamp, finalizers: ["f"] }));
  latest.wrote(claim(10, { deletionTimestamp }));
  expect(latest.getByKey("n/c")).toBeUndefined();
  bring(undefined);
  bring(claim(12));
  expect(latest.getByKey("n/c")?.metadata.resourceVersion).toBe("12");
});

it("leaves it to the cache where versions cannot be compared", () => {
  const { latest, bring } = cache();
  bring(claim(9, { resourceVersion: "abc" }));
  latest.wrote(claim(10, { resourceVersion: "abd" }));
  expect(latest.getByKey("n/c")?.metadata.resourceVersion).toBe("abc");
});

it("does not bring an object back whose end the watch told before the answer came", () => {
  const { latest, bring } = cache();
  bring(claim(9, { finalizers: ["f"] }));
  bring(undefined);
  latest.wrote(claim(10, { deletionTimestamp: "2026-01-31T15:04:05Z", finalizers: ["f"] }));
  expect(latest.getByKey("n/c")).toBeUndefined();
});

it("knows a new object before the watch brings it, and what was then written of it", () => {
  const { latest } = cache();
  latest.wrote(claim(9), { isNew: true });
  expect(latest.getByKey("n/c")?.metadata.resourceVersion).toBe("9");
  latest.wrote(claim(10));
  expect(latest.getByKey("n/c")?.metadata.resourceVersion).toBe("10");
});

it("tells of what is gone as it was last: as it was written, or as the watch brought it later", () => {
  const { latest, bring, deleted } = cache();
  bring(claim(9));
  latest.wrote(claim(10));
  bring(undefined);
  bring(claim(12));
  latest.wrote(claim(13));
  bring(claim(14));
  bring(undefined);
  expect(deleted.map(({ metadata }) => metadata.resourceVersion)).toEqual(["10", "14"]);
});
