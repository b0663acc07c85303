import { describe, expect, it } from "vitest";
import { ResourceRegistry } from "../resources/index.ts";
import { getObject, listObjects, watchObjects } from "../verbs/index.ts";
import { getRequest, pod, readingServer } from "../verbs/reads/reads-fixture.ts";
import { asTable, type TableOptions } from "./table-form.ts";

const registry = new ResourceRegistry();
const pods = registry.find({ group: "", version: "v1", plural: "pods" });
const limits = registry.find({ group: "", version: "v1", plural: "limitranges" });
if (pods === undefined || limits === undefined) throw new TypeError("there are no pods");

const options: TableOptions = {
  clock: { nowMs: () => Date.parse("2026-01-01T00:01:00Z") },
  version: "v1",
  included: "Metadata",
  isWatch: false,
};
const head = { resourceVersion: "7", continueToken: "", remainingItemCount: undefined };
const text = JSON.stringify(pod("a", { status: { phase: "Succeeded" } }));

describe("a table", () => {
  it("has a row for an object, with its metadata", () => {
    const { rows } = JSON.parse(asTable(options)(pods).object(text));
    expect(rows[0].cells.slice(0, 4)).toEqual(["a", "0/0", "Succeeded", "0"]);
    expect(rows[0].conditions[0]).toMatchObject({ type: "Completed", reason: "Succeeded" });
    expect(rows[0].object).toMatchObject({ kind: "PartialObjectMetadata", metadata: { name: "a" } });
  });

  it("has the object, or nothing, when that is wanted", () => {
    const included = (what: TableOptions["included"]) =>
      JSON.parse(asTable({ ...options, included: what })(pods).object(text)).rows[0].object;
    expect(included("None")).toBeNull();
    expect(included("Object")).toEqual(JSON.parse(text));
  });

  it("says how a list goes on", () => {
    const form = asTable({ ...options, version: "v1beta1" })(pods);
    const list = form.list({ ...head, continueToken: "more", remainingItemCount: 3 }, [form.item(text)]);
    expect(JSON.parse(list)).toMatchObject({
      apiVersion: "meta.k8s.io/v1beta1",
      metadata: { resourceVersion: "7", continue: "more", remainingItemCount: 3 },
    });
  });

  it("of nothing has no rows, or null where a kind has no printer", () => {
    expect(JSON.parse(asTable(options)(pods).list(head, [])).rows).toEqual([]);
    expect(JSON.parse(asTable(options)(limits).list(head, [])).rows).toBeNull();
  });

  it("is never made of a Status", () => {
    const status = '{"kind":"Status","apiVersion":"v1","status":"Success"}';
    expect(asTable(options)(pods).object(status)).toBe(status);
  });
});

describe("reading as tables", () => {
  it("gets and lists", async () => {
    const server = readingServer();
    await server.put("/registry/core/pods/a/one", pod("one"));
    await server.put("/registry/core/pods/a/two", pod("two"));
    const got = await getObject(server, getRequest("/api/v1/namespaces/a/pods/one"), asTable(options));
    const listed = await listObjects(server, getRequest("/api/v1/namespaces/a/pods"), asTable(options));
    const names = (body: unknown) => JSON.parse(String(body)).rows.map((row: { cells: string[] }) => row.cells[0]);
    expect([names(got.body), names(listed.body)]).toEqual([["one"], ["one", "two"]]);
  });

  it("tells the columns with the first event of a watch alone", async () => {
    const server = readingServer();
    await server.put("/registry/core/pods/a/one", pod("one"));
    const request = getRequest(
      "/api/v1/namespaces/a/pods?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true",
    );
    const { body } = await watchObjects(server, request, asTable({ ...options, isWatch: true }));
    await server.put("/registry/core/pods/a/two", pod("two"));
    const tables: { columnDefinitions: unknown[] | null }[] = [];
    for await (const line of body as AsyncIterable<string>) {
      tables.push(JSON.parse(line).object);
      if (tables.length === 3) break;
    }
    expect(tables.map(({ columnDefinitions }) => columnDefinitions?.length)).toEqual([9, undefined, undefined]);
  });
});
