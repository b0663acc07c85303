import { describe, expect, it, test } from "vitest";
import { boats, DocumentsScene } from "./documents-fixture.ts";

const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

describe("discovery", () => {
  it("has all groups in one document, those of definitions last", () => {
    using scene = new DocumentsScene();
    scene.registry.define(boats);
    const { code, headers, body } = scene.send("GET /apis", { accept: aggregated });
    expect({ code, type: headers["content-type"] }).toEqual({ code: 200, type: aggregated });
    const { items } = JSON.parse(String(body)) as { items: { metadata: { name: string }; versions: unknown[] }[] };
    expect(items.map(({ metadata }) => metadata.name).slice(0, 3)).toEqual([
      "apiregistration.k8s.io",
      "apps",
      "events.k8s.io",
    ]);
    const responseKind = { group: "harbour.test", version: "v1", kind: "Boat" };
    expect(items.at(-1)).toMatchObject({
      metadata: { name: "harbour.test" },
      versions: [{ version: "v1", freshness: "Current", resources: [{ resource: "boats", responseKind }] }],
    });
  });

  it("is sent once to whoever keeps it, and again when it changes", () => {
    using scene = new DocumentsScene();
    const etag = String(scene.send("GET /apis", { accept: aggregated }).headers["etag"]);
    const headers = { accept: aggregated, "if-none-match": etag };
    expect(scene.send("GET /apis", headers)).toMatchObject({ code: 304, body: "" });
    scene.registry.define(boats);
    expect(scene.send("GET /apis", headers).code).toBe(200);
  });

  test.each([
    ["application/json", "/apis", "APIGroupList"],
    ["*/*", "/api/v1", "APIResourceList"],
    [`${aggregated.replace("v2", "v2beta1")},application/json`, "/api", "APIVersions"],
  ])("for %s is in parts", (accept, path, kind) => {
    using scene = new DocumentsScene();
    expect(scene.json(path, { accept })).toMatchObject({ kind });
  });

  it("is in YAML for those who like that better", () => {
    using scene = new DocumentsScene();
    const { body } = scene.send("GET /apis/policy", { accept: "application/json;q=0.5,application/yaml" });
    expect(body).toBe(
      "apiVersion: v1\nkind: APIGroup\nname: policy\npreferredVersion:\n  groupVersion: policy/v1\n  version: v1\n" +
        "versions:\n- groupVersion: policy/v1\n  version: v1\n",
    );
  });

  test.each([
    ["/api", "406: Not Acceptable"],
    ["/apis/apps", "only the following media types are accepted"],
  ])("of %s in no form that there is, is refused", (path, words) => {
    using scene = new DocumentsScene();
    expect(() => scene.send(`GET ${path}`, { accept: "text/html" })).toThrow(words);
  });
});
