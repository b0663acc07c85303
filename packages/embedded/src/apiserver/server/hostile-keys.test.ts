import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "./api-server.ts";
import { type ClientFiles, clientFiles, type Heard, heardBy1, type Sent } from "./fixtures/http-clients.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const widgets = "/apis/example.com/v1/namespaces/default/widgets";
const prototypes: readonly object[] = [Object.prototype, Array.prototype, String.prototype, Function.prototype];
const ownNames = () => prototypes.map((prototype) => Object.getOwnPropertyNames(prototype));
const before = ownNames();

let server: ApiServer;
let files: ClientFiles;
beforeAll(async () => {
  server = await startApiServer();
  files = clientFiles(server.kubeconfig());
  await sendJson("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
});
afterAll(() => server.close());

const definition = `{"metadata":{"name":"widgets.example.com"},"spec":{"group":"example.com","scope":"Namespaced",
  "names":{"plural":"widgets","singular":"widget","kind":"Widget","listKind":"WidgetList"},
  "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{
    "spec":{"type":"object","default":{"constructor":"made","__proto__":"inner"},
      "properties":{"constructor":{"type":"string"},"__proto__":{"type":"string"},"n":{"type":"integer","default":3}}},
    "free":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}}}]}}`;

function send(sent: Sent): Promise<Heard> {
  return heardBy1(files, sent);
}

function sendJson(method: string, path: string, body: string, type = "application/json"): Promise<Heard> {
  return send({ method, path, body, headers: { "content-type": type } });
}

/** The text of what is under the key, which may be one that no object literal can have. */
function under(heard: Heard, ...path: string[]): string | undefined {
  let value: unknown = JSON.parse(heard.text);
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return JSON.stringify(value);
}

const hostile = '"__proto__":"a","constructor":"b","toString":"c","hasOwnProperty":"d","valueOf":"e"';

describe("keys that mean something to JavaScript", () => {
  it("are data like any other in what is created, and come back", async () => {
    const made = await sendJson("POST", configMaps, `{"metadata":{"name":"made"},"data":{${hostile}}}`);
    expect(made.code).toBe(201);
    for (const text of [made, await send({ path: `${configMaps}/made` })]) {
      expect(under(text, "data", "__proto__")).toBe('"a"');
      expect(under(text, "data", "constructor")).toBe('"b"');
      expect(text.text).toContain('"f:__proto__":{}');
    }
  });

  it.each([
    ["application/merge-patch+json", `{"data":{${hostile}}}`],
    ["application/strategic-merge-patch+json", `{"data":{${hostile}}}`],
    [
      "application/json-patch+json",
      '[{"op":"add","path":"/data/__proto__","value":"a"},{"op":"add","path":"/data/constructor","value":"b"}]',
    ],
    ["application/apply-patch+yaml", `{"apiVersion":"v1","kind":"ConfigMap","data":{${hostile}}}`],
    ["application/apply-patch+yaml", 'apiVersion: v1\nkind: ConfigMap\ndata:\n  __proto__: "a"\n  constructor: "b"\n'],
  ])("are data in a patch of type %s", async (type, patch) => {
    await sendJson("POST", configMaps, '{"metadata":{"name":"patched"},"data":{"x":"y"}}');
    const path = `${configMaps}/patched?fieldManager=test`;
    const patched = await sendJson("PATCH", path, patch, type);
    expect([patched.code, under(patched, "data", "__proto__"), under(patched, "data", "constructor")]).toEqual([
      200,
      '"a"',
      '"b"',
    ]);
    const removed = await sendJson("PATCH", path, '{"data":{"__proto__":null}}', "application/merge-patch+json");
    expect([removed.code, under(removed, "data", "__proto__"), under(removed, "data", "constructor")]).toEqual([
      200,
      undefined,
      '"b"',
    ]);
    await send({ method: "DELETE", path: `${configMaps}/patched` });
  });

  it.each([
    '[{"op":"add","path":"/__proto__/polluted","value":"1"}]',
    '[{"op":"add","path":"/constructor/prototype/polluted","value":"1"}]',
    '[{"op":"add","path":"/metadata/__proto__/polluted","value":"1"}]',
    '[{"op":"copy","from":"/data","path":"/__proto__/x"}]',
    '[{"op":"test","path":"/toString","value":null}]',
  ])("lead nowhere as a path: %s", async (patch) => {
    await sendJson("POST", configMaps, '{"metadata":{"name":"pointed"},"data":{"x":"y"}}');
    const patched = await sendJson("PATCH", `${configMaps}/pointed`, patch, "application/json-patch+json");
    expect([200, 422]).toContain(patched.code);
    expect(patched.text).not.toContain("polluted");
  });

  it("are unknown fields where a kind has none of the name", async () => {
    const body =
      '{"metadata":{"name":"odd","__proto__":{"uid":"1"}},"__proto__":{"immutable":true},"constructor":{"x":1}}';
    const path = `${configMaps}?fieldValidation=Strict&dryRun=All`;
    const { code, text } = await sendJson("POST", path, body);
    expect(code).toBe(400);
    for (const field of ["__proto__", "constructor", "metadata.__proto__"]) {
      expect(text).toContain(`unknown field \\"${field}\\"`);
    }
  });

  it("are fields of custom resources, with their defaults", async () => {
    const body = `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"},"free":{${hostile}}}`;
    const made = await sendJson("POST", widgets, body);
    expect(made.text).toContain('"free":{');
    expect(under(made, "free", "__proto__")).toBe('"a"');
    expect(under(made, "spec", "constructor")).toBe('"made"');
    expect(under(made, "spec", "__proto__")).toBe('"inner"');
    expect(under(made, "spec", "n")).toBe("3");
  });

  it("select nothing", async () => {
    for (const selector of [
      "labelSelector=constructor",
      "labelSelector=toString%3Dx",
      "fieldSelector=metadata.name%3D__proto__",
    ]) {
      const heard = await send({ path: `${configMaps}?${selector}` });
      expect([heard.code, under(heard, "items")]).toEqual([200, "[]"]);
    }
    for (const path of ["__proto__", "constructor", "toString", "metadata.constructor"]) {
      expect((await send({ path: `${configMaps}?fieldSelector=${path}%3Dx` })).code).toBe(400);
    }
  });

  it.each([
    "/api/v1/__proto__",
    "/api/v1/constructor",
    "/apis/constructor/v1/x",
    "/api/v1/namespaces/default/toString",
    "/__proto__",
    "/apis/apps/v1/namespaces/default/deployments/x/constructor",
    "/api/v1/namespaces/default/pods/x/__proto__",
    "/openapi/v3/__proto__",
  ])("are no paths: %s", async (path) => {
    expect((await send({ path })).code).toBe(404);
  });

  it("have changed nothing in the process", () => {
    expect(ownNames()).toEqual(before);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});
