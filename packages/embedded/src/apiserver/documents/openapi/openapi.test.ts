import { describe, expect, it } from "vitest";
import { boats, DocumentsScene } from "../documents-fixture.ts";
import { prepareOpenApi } from "./openapi-answer.ts";
import type { OpenApiDocument, Operation, Schema } from "./openapi-types.ts";

type Index = { readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>> };

const urlOf = (scene: DocumentsScene, path: string) =>
  (scene.json("/openapi/v3") as Index).paths[path]?.serverRelativeURL ?? "";

describe("OpenAPI", () => {
  it("of built-in resources is the real server's, to the byte", () => {
    using scene = new DocumentsScene();
    // As Kubernetes 1.36.3 has it in its own index.
    expect(urlOf(scene, "apis/apps/v1")).toBe(
      "/openapi/v3/apis/apps/v1?hash=E6837BF046F7D2603C949276F19DA2050C7521B0E5FA9FC64556E8AA9C500719EB5CE97EB6FDF85ABEDA04A50BDA5D2B5F59DA2B283D8B76A82BA2A256AFD626",
    );
  });

  it("may be kept for good by whoever names what it has, and is shown to those who name something else", () => {
    using scene = new DocumentsScene();
    const url = urlOf(scene, "apis/policy/v1");
    const { code, headers } = scene.send(`GET ${url}`);
    expect({ code, cache: headers["cache-control"] }).toEqual({ code: 200, cache: "public, immutable" });
    expect(scene.send(`GET ${url}`, { "if-none-match": String(headers["etag"]) })).toMatchObject({ code: 304 });
    expect(scene.send("GET /openapi/v3/apis/policy/v1?hash=OLD")).toMatchObject({
      code: 301,
      headers: { location: url },
    });
  });

  it("of a definition has its schema and its paths, and another name when the definition changes", () => {
    using scene = new DocumentsScene();
    scene.registry.define(boats);
    const before = urlOf(scene, "apis/harbour.test/v1");
    const { paths, components } = scene.json(before) as OpenApiDocument;
    const root = "/apis/harbour.test/v1/namespaces/{namespace}/boats";
    expect(Object.keys(paths)).toEqual([
      "/apis/harbour.test/v1/boats",
      root,
      `${root}/{name}`,
      `${root}/{name}/status`,
    ]);
    const patch = paths[`${root}/{name}`]?.["patch"] as Operation;
    expect(patch.operationId).toBe("patchHarbourTestV1NamespacedBoat");
    expect(patch.parameters?.map(({ name }) => name)).toContain("fieldValidation");
    const properties = components.schemas?.["test.harbour.v1.Boat"]?.["properties"] as
      | Record<string, Schema>
      | undefined;
    expect(properties?.["spec"]?.["properties"]).toEqual({
      mast: { anyOf: [{ type: "integer" }, { type: "string" }], "x-kubernetes-int-or-string": true },
    });
    scene.registry.define({ ...boats, spec: { ...boats.spec, scope: "Cluster" } });
    expect(urlOf(scene, "apis/harbour.test/v1")).not.toBe(before);
    scene.registry.undefine("boats.harbour.test");
    expect(urlOf(scene, "apis/harbour.test/v1")).toBe("");
    expect(scene.send("GET /openapi/v3/apis/harbour.test/v1").code).toBe(404);
  });

  it("in version 2 has everything in one document", () => {
    using scene = new DocumentsScene();
    scene.registry.define(boats);
    const { headers, body } = scene.send("GET /openapi/v2");
    const { swagger, definitions, paths } = JSON.parse(String(body)) as Record<string, Record<string, Schema>>;
    expect(swagger).toBe("2.0");
    expect(definitions?.["io.k8s.api.apps.v1.Deployment"]).toMatchObject({
      properties: { spec: { $ref: "#/definitions/io.k8s.api.apps.v1.DeploymentSpec" } },
    });
    expect(definitions?.["test.harbour.v1.Boat"]).toHaveProperty("type", "object");
    expect(paths?.["/api/v1/namespaces/{namespace}/pods/{name}"]).toHaveProperty("delete");
    expect(scene.send("GET /openapi/v2", { "if-none-match": String(headers["etag"]) }).code).toBe(304);
  });

  it.each(["json", "protobuf"] as const)(
    "in version 2 as %s is made once, and again when a definition changes",
    (form) => {
      using scene = new DocumentsScene();
      const { openApi } = scene.deps;
      const first = openApi.swagger(form);
      expect(openApi.swagger(form)).toBe(first);
      scene.registry.define(boats);
      expect(openApi.swagger(form).hash).not.toBe(first.hash);
    },
  );

  it.each(["/openapi/v2", "/openapi/v3"])("%s is made in turns with other work", async (path) => {
    using scene = new DocumentsScene();
    let turns = 0;
    const takeTurn = () => {
      turns++;
      others = setImmediate(takeTurn);
    };
    let others = setImmediate(takeTurn);
    const request = { method: "GET", url: new URL(`https://server${path}`), host: "server", header: () => undefined };
    await prepareOpenApi(scene.deps, request);
    clearImmediate(others);
    expect(turns).toBeGreaterThan(5);
    expect(scene.send(`GET ${path}`).code).toBe(200);
  });
});
