import type { CustomResourceDefinition } from "@stowage/machinery";
import { beforeEach, describe, expect, it } from "vitest";
import type { ApiAnswer, ApiRequest } from "../api-request.ts";
import { continuePoint, continueToken } from "./continue-token.ts";
import { asMetadata } from "./object-form.ts";
import { getObject } from "./object-get.ts";
import { listObjects } from "./object-list.ts";
import { getRequest, pod, readingServer, told } from "./reads-fixture.ts";

let server: ReturnType<typeof readingServer>;
const list = (path: string) => told(listObjects(server, getRequest(path)));
const get = (path: string) => told(getObject(server, getRequest(path)));
const names = async (path: string) => {
  const { body } = await listObjects(server, getRequest(path));
  const { items } = JSON.parse(textOf(body)) as { items: { metadata: { name: string } }[] };
  return items.map(({ metadata }) => metadata.name).join(" ");
};

function textOf(body: ApiAnswer["body"]): string {
  if (typeof body !== "string") throw new Error("a list is one text");
  return body;
}

const boats: CustomResourceDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "boats.harbour.test" },
  spec: {
    group: "harbour.test",
    names: { plural: "boats", kind: "Boat", listKind: "BoatList" },
    scope: "Namespaced",
    versions: [
      { name: "v1", served: true, storage: true, selectableFields: [{ jsonPath: ".spec.colour" }] },
      { name: "v1beta1", served: true, storage: false },
    ],
  },
};

beforeEach(() => {
  server = readingServer();
  server.registry.define(boats);
});

describe("a get", () => {
  it("gives the text that is stored, and with the status the same", async () => {
    await server.put("/registry/core/pods/a/one", pod("one"));
    const text =
      '200 {"kind":"Pod","apiVersion":"v1","metadata":{"name":"one","namespace":"a","labels":{},"resourceVersion":"2"}}';
    expect(await get("/api/v1/namespaces/a/pods/one")).toBe(text);
    expect(await get("/api/v1/namespaces/a/pods/one/status")).toBe(text);
    expect(await get("/api/v1/namespaces/a/pods/one?resourceVersion=2")).toBe(text);
  });

  it.each([
    ["/api/v1/namespaces/a/pods/two", '404 NotFound: pods "two" not found'],
    ["/apis/apps/v1/namespaces/a/deployments/two", '404 NotFound: deployments.apps "two" not found'],
    ["/api/v1/namespaces/a/pods/a%2Fb", "404 NotFound: the server could not find the requested resource"],
    ["/api/v1/namespaces/a/pods/a%25b", `400 BadRequest: Name parameter invalid: "a%b": may not contain '%'`],
    ["/api/v1/pods/one", "404 NotFound: the server could not find the requested resource"],
    ["/api/v1/namespaces/a/nodes/one", "404 NotFound: the server could not find the requested resource"],
    [
      "/api/v1/namespaces/a/bindings/one",
      "405 MethodNotAllowed: the server does not allow this method on the requested resource",
    ],
    [
      "/api/v1/namespaces/a/pods/one?resourceVersion=x",
      '500 -: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
    ],
  ])("is refused: %s", async (path, answer) => {
    expect(await get(path)).toBe(answer);
  });

  it("waits for a version that is about to come, and not for long", async () => {
    const inTime = get("/api/v1/namespaces/a/pods/one?resourceVersion=2");
    await server.put("/registry/core/pods/a/one", pod("one"));
    expect(await inTime).toContain('"name":"one"');
    const error = listObjects(server, getRequest("/api/v1/pods?resourceVersion=99")).catch(({ status }) => status);
    await server.clock.advance(3000);
    expect(await error).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: "Timeout: Too large resource version: 99, current: 2",
      reason: "Timeout",
      details: {
        causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
        retryAfterSeconds: 1,
      },
      code: 504,
    });
    expect(server.clock.sleeping).toBe(0);
  });
});

describe("a list", () => {
  it("is put together from the texts, each without its kind", async () => {
    expect(await list("/api/v1/pods")).toBe(
      '200 {"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[]}',
    );
    await server.put("/registry/core/pods/a/one", pod("one", { spec: { n: 1 } }));
    await server.put("/registry/core/pods/b/two", pod("two"));
    expect(await list("/api/v1/namespaces/a/pods")).toBe(
      '200 {"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"3"},"items":[' +
        '{"metadata":{"name":"one","namespace":"a","labels":{},"resourceVersion":"2"},"spec":{"n":1}}]}',
    );
    expect(await names("/api/v1/pods")).toBe("one two");
  });

  it("of custom resources has the kind in each, in the version that was asked for", async () => {
    await server.put("/registry/harbour.test/boats/a/one", {
      ...pod("one"),
      kind: "Boat",
      apiVersion: "harbour.test/v1",
    });
    expect(await list("/apis/harbour.test/v1beta1/boats")).toBe(
      '200 {"apiVersion":"harbour.test/v1beta1","items":[{"kind":"Boat","apiVersion":"harbour.test/v1beta1",' +
        '"metadata":{"name":"one","namespace":"a","labels":{},"resourceVersion":"2"}}],"kind":"BoatList",' +
        '"metadata":{"continue":"","resourceVersion":"2"}}',
    );
  });

  it("has the events of both groups, in the words of the one that is asked", async () => {
    const regarding = { kind: "Pod", name: "one" };
    const metadata = { name: "e", namespace: "a" };
    const words = { regarding, note: "hello", reportingController: "me", eventTime: "2026-01-31T15:04:05.000000Z" };
    await server.put("/registry/core/events/a/e", {
      kind: "Event",
      apiVersion: "events.k8s.io/v1",
      metadata,
      ...words,
    });
    const selected = "fieldSelector=involvedObject.name%3Done,source%3Dme";
    expect(await list(`/api/v1/namespaces/a/events?${selected}`)).toBe(
      '200 {"kind":"EventList","apiVersion":"v1","metadata":{"resourceVersion":"2"},"items":[' +
        '{"metadata":{"name":"e","namespace":"a","resourceVersion":"2"},"involvedObject":{"kind":"Pod","name":"one"},"source":{},' +
        '"firstTimestamp":null,"lastTimestamp":null,"eventTime":"2026-01-31T15:04:05.000000Z","reportingComponent":"me",' +
        '"reportingInstance":"","message":"hello"}]}',
    );
    expect(await names("/apis/events.k8s.io/v1/events?fieldSelector=regarding.kind%3DPod")).toBe("e");
    expect(await get("/apis/events.k8s.io/v1/namespaces/a/events/e")).toContain('"note":"hello"');
  });

  it("can be of metadata alone", async () => {
    await server.put("/registry/core/pods/a/one", pod("one", { spec: {} }));
    expect(await told(listObjects(server, getRequest("/api/v1/pods"), asMetadata))).toBe(
      '200 {"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"2"},"items":[' +
        '{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1",' +
        '"metadata":{"name":"one","namespace":"a","labels":{},"resourceVersion":"2"}}]}',
    );
  });

  it.each([
    ["labelSelector=app%3Dweb", "one three"],
    ["labelSelector=!app", "two"],
    ["labelSelector=app&fieldSelector=spec.nodeName%3Dn2", "three"],
    ["fieldSelector=metadata.name%3Dtwo", "two"],
    ["fieldSelector=metadata.name!%3Dtwo", "one three"],
    ["fieldSelector=metadata.namespace%3Db", ""],
    ["fieldSelector=status.phase%3DRunning", "one"],
    ["fieldSelector=spec.hostNetwork%3Dfalse,spec.host%3Dn1", "one"],
    ["fieldSelector=status.podIP%3D10.0.0.1", "two"],
    ["limit=1&resourceVersion=0", "one three two"],
  ])("selects: %s", async (query, selected) => {
    const prefix = "/registry/core/pods/a";
    await server.put(
      `${prefix}/one`,
      pod("one", { spec: { nodeName: "n1" }, status: { phase: "Running" } }, { app: "web" }),
    );
    await server.put(
      `${prefix}/two`,
      pod("two", { spec: { hostNetwork: true }, status: { podIPs: [{ ip: "10.0.0.1" }] } }),
    );
    await server.put(`${prefix}/three`, pod("three", { spec: { nodeName: "n2" } }, { app: "web" }));
    expect(await names(`/api/v1/pods?${query}`)).toBe(selected);
    expect(await names(`/api/v1/namespaces/a/pods?${query}`)).toBe(selected);
  });

  it("selects custom resources by the fields that their version says, and by no other", async () => {
    const boat = { ...pod("red", { spec: { colour: "red" } }), kind: "Boat", apiVersion: "harbour.test/v1" };
    await server.put("/registry/harbour.test/boats/a/red", boat);
    expect(await names("/apis/harbour.test/v1/boats?fieldSelector=spec.colour%3Dred")).toBe("red");
    expect(await names("/apis/harbour.test/v1/boats?fieldSelector=spec.colour!%3Dred")).toBe("");
    expect(await list("/apis/harbour.test/v1beta1/boats?fieldSelector=spec.colour%3Dred")).toBe(
      "400 BadRequest: field label not supported: spec.colour",
    );
  });

  it.each([
    ["/api/v1/pods?fieldSelector=spec.x%3D1", "400 BadRequest: field label not supported: spec.x"],
    [
      "/api/v1/nodes?fieldSelector=metadata.namespace%3Da",
      "400 BadRequest: field label not supported: metadata.namespace",
    ],
    ["/apis/batch/v1/jobs?fieldSelector=x%3D1", '400 BadRequest: field label "x" not supported for Job'],
    [
      "/apis/apps/v1/replicasets?fieldSelector=status.replicas%3D1",
      '400 BadRequest: "status.replicas" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
    ["/api/v1/pods?fieldSelector=x", "400 BadRequest: invalid selector: 'x'; can't understand 'x'"],
    ["/api/v1/pods?limit=x", '400 BadRequest: strconv.ParseInt: parsing "x": invalid syntax'],
    [
      "/api/v1/pods?limit=9223372036854775808",
      '400 BadRequest: strconv.ParseInt: parsing "9223372036854775808": value out of range',
    ],
    [
      "/api/v1/pods?resourceVersion=x",
      '400 BadRequest: invalid resource version: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
    ],
    [
      "/api/v1/pods?resourceVersionMatch=Exact",
      '422 Invalid: ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    ],
    [
      "/api/v1/pods?resourceVersion=0&resourceVersionMatch=Exact",
      '422 Invalid: ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    ],
    [
      "/api/v1/pods?resourceVersion=1&resourceVersionMatch=x&continue=y",
      '422 Invalid: ListOptions.meta.k8s.io "" is invalid: [resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided, ' +
        'resourceVersionMatch: Unsupported value: "x": supported values: "Exact", "NotOlderThan", ""]',
    ],
    [
      "/api/v1/pods?sendInitialEvents=true",
      '422 Invalid: ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
    ],
    [
      "/api/v1/pods?continue=a*b",
      "400 BadRequest: invalid continue token: continue key is not valid: illegal base64 data at input byte 1",
    ],
    [
      `/api/v1/pods?continue=${continueToken({ revision: 0, start: "a" })}`,
      "400 BadRequest: invalid continue token: continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)",
    ],
    [
      `/api/v1/pods?continue=${continueToken({ revision: 1, start: "../secrets" })}`,
      "400 BadRequest: invalid continue token: continue key is not valid: ../secrets",
    ],
    [
      `/api/v1/pods?resourceVersion=1&continue=${continueToken({ revision: 1, start: "a" })}`,
      "400 BadRequest: specifying resource version is not allowed when using continue",
    ],
  ])("is refused: %s", async (path, answer) => {
    expect(await list(path)).toBe(answer);
  });
});

describe("a list in pages", () => {
  interface Listed {
    readonly metadata: {
      readonly continue?: string;
      readonly remainingItemCount?: number;
      readonly resourceVersion?: string;
    };
    readonly items: readonly { readonly metadata: { readonly name: string } }[];
  }
  const page = async (request: ApiRequest) => {
    const { code, body } = await listObjects(server, request);
    return { code, ...(JSON.parse(textOf(body)) as Listed) };
  };

  it("goes on as it was when it began", async () => {
    for (const name of ["a", "b", "c", "d"]) await server.put(`/registry/core/pods/a/${name}`, pod(name));
    const first = await page(getRequest("/api/v1/namespaces/a/pods?limit=2"));
    expect(first.metadata).toMatchObject({ resourceVersion: "5", remainingItemCount: 2 });
    expect(continuePoint(first.metadata.continue ?? "")).toEqual({ revision: 5, start: "b\0" });
    await server.remove("/registry/core/pods/a/c");
    await server.put("/registry/core/pods/a/e", pod("e"));
    const rest = await page(getRequest(`/api/v1/namespaces/a/pods?limit=2&continue=${first.metadata.continue}`));
    expect(rest.items.map(({ metadata }) => metadata.name)).toEqual(["c", "d"]);
    expect(rest.metadata).toEqual({ resourceVersion: "5" });
    const exact = await names("/api/v1/pods?resourceVersion=5&resourceVersionMatch=Exact");
    expect(exact).toBe("a b c d");
    expect(await names("/api/v1/pods?resourceVersion=5&resourceVersionMatch=NotOlderThan")).toBe("a b d e");
  });

  it("does not count what is left of a selection, and never leaves out of it", async () => {
    for (const name of ["a", "b", "c", "d"]) {
      await server.put(`/registry/core/pods/a/${name}`, pod(name, {}, name === "b" ? {} : { app: "web" }));
    }
    const first = await page(getRequest("/api/v1/pods?limit=2&labelSelector=app"));
    expect(first.items.map(({ metadata }) => metadata.name)).toEqual(["a", "c"]);
    expect(first.metadata).not.toHaveProperty("remainingItemCount");
    const rest = await page(getRequest(`/api/v1/pods?limit=2&labelSelector=app&continue=${first.metadata.continue}`));
    expect(rest.items.map(({ metadata }) => metadata.name)).toEqual(["d"]);
    expect(rest.metadata.continue).toBeUndefined();
  });

  it("says when it is too late, and how to go on all the same", async () => {
    server = readingServer({ log: { maximumChanges: 2, maximumCharacters: 1e6 } });
    for (const name of ["a", "b", "c"]) await server.put(`/registry/core/pods/a/${name}`, pod(name));
    const { metadata } = await page(getRequest("/api/v1/pods?limit=1"));
    for (const name of ["d", "e", "f"]) await server.put(`/registry/core/pods/a/${name}`, pod(name));
    const late = await page(getRequest(`/api/v1/pods?limit=1&continue=${metadata.continue}`));
    expect(late).toMatchObject({
      code: 410,
      reason: "Expired",
      message:
        "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.",
    });
    expect(await names(`/api/v1/pods?continue=${late.metadata.continue}`)).toBe("b c d e f");
    expect(await list("/api/v1/pods?resourceVersion=2&resourceVersionMatch=Exact")).toBe(
      "410 Expired: The resourceVersion for the provided list is too old.",
    );
  });
});

describe("objects of a CRD whose schema changed", () => {
  const schema = {
    openAPIV3Schema: {
      type: "object",
      properties: { spec: { type: "object", properties: { colour: { type: "string", default: "red" } } } },
    },
  };
  const changed = (resourceVersion: string): CustomResourceDefinition => ({
    ...boats,
    metadata: { ...boats.metadata, generation: 2, resourceVersion },
    spec: { ...boats.spec, versions: [{ name: "v1", served: true, storage: true, schema }] },
  });
  const kept = { kind: "Boat", apiVersion: "harbour.test/v1", metadata: { name: "a", namespace: "a" } };
  const path = "/apis/harbour.test/v1/namespaces/a/boats";

  it("are pruned and get the new defaults when they are read, if they were written before", async () => {
    const revision = await server.put("/registry/harbour.test/boats/a/a", {
      ...kept,
      spec: { sails: 3 },
    } as typeof kept);
    server.registry.define(changed(String(revision + 1)));
    expect(await get(`${path}/a`)).toContain('"spec":{"colour":"red"}');
    expect(await list(path)).toContain('"spec":{"colour":"red"}');
  });

  it("are sent as they are if they were written since", async () => {
    const revision = await server.put("/registry/harbour.test/boats/a/a", {
      ...kept,
      spec: { sails: 3 },
    } as typeof kept);
    server.registry.define(changed(String(revision - 1)));
    expect(await get(`${path}/a`)).toContain('"spec":{"sails":3}');
  });
});
