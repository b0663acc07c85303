import type { ManagedFieldsEntry } from "@stowage/machinery";
import {
  applyConfiguration,
  fieldPath,
  scaledManagedFields,
  scaleManagedFields,
  trackUpdate,
} from "@stowage/machinery/apply";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { realApi } from "./real-api.ts";
import { asJson, type Stored } from "./server-side-apply/agreement.ts";
import { part } from "./server-side-apply/json-parts.ts";
import { deployments, scales } from "./server-side-apply/kinds.ts";
import { WrittenObject } from "./server-side-apply/written-object.ts";

const namespace = `scale-${process.pid}-${Date.now().toString(36)}`;
const api = realApi();
const collection = deployments.collection.replace("{ns}", `namespaces/${namespace}`);
const paths = { "apps/v1": fieldPath("spec", "replicas") };

beforeAll(async () => {
  const body = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
  expect(await api.request("POST", "/api/v1/namespaces", body)).toMatchObject({ status: 201 });
});

afterAll(async () => {
  await api.request("DELETE", `/api/v1/namespaces/${namespace}`);
});

const labels = { app: "a" };
const template = { metadata: { labels }, spec: { containers: [{ name: "a", image: "a" }] } };
const spec = { paused: true, replicas: 0, selector: { matchLabels: labels }, template };

interface Write {
  readonly by: string;
  readonly isApply: boolean;
  readonly replicas: number;
}

const update = (by: string, replicas: number): Write => ({ by, isApply: false, replicas });
const apply = (by: string, replicas: number): Write => ({ by, isApply: true, replicas });

describe("whoever writes the scale of an object owns its replicas, as on the server", () => {
  it.each([
    ["updates", [update("bob", 1), update("bob", 3), update("ann", 2)]],
    ["applies", [apply("carl", 1), apply("ann", 2), apply("ann", 3)]],
    ["both", [update("bob", 1), apply("bob", 1), apply("bob", 4), update("carl", 5)]],
  ])("by %s", async (name, writes) => {
    const object = new WrittenObject({ ...deployments, api, collection, name });
    await object.write({ apply: { spec }, by: "ann" });
    for (const write of writes) {
      const ours = scaledHere(await object.read(), write);
      await scaleOnServer(name, write);
      expect(ours).toEqual(comparable((await object.read())?.metadata.managedFields ?? []));
    }
    await object.remove();
  });
});

async function scaleOnServer(name: string, { by, isApply, replicas }: Write): Promise<void> {
  const body = { ...scaleOf(replicas), metadata: { name } };
  const headers = { "content-type": isApply ? "application/apply-patch+yaml" : "application/merge-patch+json" };
  const query = `fieldManager=${by}${isApply ? "&force=true" : ""}`;
  const answer = await api.request("PATCH", `${collection}/${name}/scale?${query}`, body, headers);
  expect(answer).toMatchObject({ status: 200 });
}

/** What the server does in between: the scale is made of the object, written, and the object of the scale. */
function scaledHere(object: Stored | undefined, { by, isApply, replicas }: Write): object[] {
  const parent = object?.metadata.managedFields ?? [];
  const { replicas: current } = part(object ?? {}, "spec");
  const live = asJson({ ...scaleOf(current), metadata: { managedFields: scaleManagedFields(parent, paths) } });
  const request = { live, manager: by, nowMs: 0 };
  const kind = scales.kindOf("scale");
  const written = isApply
    ? applyConfiguration(kind, { ...request, applied: asJson(scaleOf(replicas)), force: true })
    : trackUpdate(kind, { ...request, next: { ...live, ...asJson(scaleOf(replicas)) } });
  const scale = (part(written, "metadata")["managedFields"] ?? []) as ManagedFieldsEntry[];
  return comparable(scaledManagedFields({ apiVersion: "apps/v1", parent, scale, paths }));
}

function scaleOf(replicas: unknown): { apiVersion: string; kind: string; spec: object } {
  return { apiVersion: "autoscaling/v1", kind: "Scale", spec: { replicas } };
}

/** The controller writes the status at any time; which entries have a time is compared, not which. */
function comparable(entries: readonly ManagedFieldsEntry[]): object[] {
  return entries
    .filter(({ manager }) => manager !== "kube-controller-manager")
    .map(({ time, ...entry }) => ({ ...entry, hasTime: time !== undefined }));
}
