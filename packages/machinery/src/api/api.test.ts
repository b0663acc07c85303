import { describe, expect, it } from "vitest";
import { patchKinds, patchTypes } from "./generated/patch-schema.ts";
import * as resources from "./generated/resources.ts";
import { apiVersionOf, type KubernetesObject, type Pod, type PodTemplateSpec, type ResourceType } from "./index.ts";

const all = Object.entries<ResourceType>(resources);

describe("the generated resources", () => {
  it("name what the API calls them", () => {
    expect(resources.persistentVolumeClaims).toEqual({
      group: "",
      version: "v1",
      plural: "persistentvolumeclaims",
      kind: "PersistentVolumeClaim",
      namespaced: true,
    });
    expect(resources.csiDrivers).toMatchObject({ group: "storage.k8s.io", plural: "csidrivers", namespaced: false });
    expect(resources.networkPolicies.kind).toBe("NetworkPolicy");
  });

  it("leave the plain name to core where two groups share it", () => {
    expect(apiVersionOf(resources.events)).toBe("v1");
    expect(apiVersionOf(resources.eventsV1Events)).toBe("events.k8s.io/v1");
  });

  it("are distinct", () => {
    const paths = all.map(([, type]) => `${apiVersionOf(type)}/${type.plural}`);
    expect(new Set(paths).size).toBe(all.length);
  });

  it.each(all)("can be patched strategically: %s", (_, type) => {
    expect(patchKinds).toHaveProperty([`${apiVersionOf(type)}/${type.kind}`]);
  });
});

describe("the table for strategic merge patches", () => {
  it("leads only to types that it holds", () => {
    const fields = Object.values(patchTypes).flatMap((type) => Object.values(type));
    const named = new Set([...Object.values(patchKinds), ...fields.flatMap(({ type }) => type ?? [])]);
    expect([...named].filter((type) => !Object.hasOwn(patchTypes, type))).toEqual([]);
  });

  it("knows by which key lists are merged", () => {
    expect(patchTypes["core.v1.PodSpec"]?.["containers"]).toEqual({
      type: "core.v1.Container",
      strategy: "merge",
      mergeKey: "name",
    });
    expect(patchTypes["core.v1.PodSpec"]?.["volumes"]).toMatchObject({ strategy: "merge,retainKeys" });
    expect(patchTypes["meta.v1.ObjectMeta"]?.["finalizers"]).toEqual({ strategy: "merge" });
  });
});

describe("the generated types", () => {
  it("make whole objects of kinds and leave embedded metadata optional", () => {
    const template: PodTemplateSpec = { spec: { containers: [{ name: "a", image: "a:1" }] } };
    const pod: Pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, ...template };
    const object: KubernetesObject = pod;
    // @ts-expect-error: a Pod is of no other kind.
    const wrong: Pod = { ...pod, kind: "Node" };
    expect([object.kind, wrong.kind]).toEqual(["Pod", "Node"]);
  });
});
