import { settled } from "@stowage/machinery/testing";
import { beforeEach, describe, expect, it } from "vitest";
import type { ObjectForm } from "./object-form.ts";
import { asServed } from "./object-form.ts";
import { watchObjects } from "./object-watch.ts";
import { getRequest, pod, readingServer, told } from "./reads-fixture.ts";

let server: ReturnType<typeof readingServer>;
beforeEach(() => {
  server = readingServer();
});

const key = (name: string) => `/registry/core/pods/a/${name}`;

/** Reads as a client does; what has come so far is in `lines`. */
async function watching(path: string, signal?: AbortSignal) {
  const { code, body } = await watchObjects(server, getRequest(path, signal));
  expect(code).toBe(200);
  const lines: string[] = [];
  const done = (async () => {
    for await (const line of body) lines.push(String(line));
  })();
  await settled();
  return { lines, done, words: () => lines.map(words) };
}

function words(line: string): string {
  const { type, object } = JSON.parse(line) as {
    type: string;
    object: { message?: string; metadata: Record<string, string> };
  };
  const { name = "-", resourceVersion } = object.metadata;
  return `${type} ${object.message ?? `${name} ${resourceVersion}`}`;
}

describe("a watch", () => {
  it("from a version tells what was missed and what comes, and of what went its last state", async () => {
    await server.put(key("one"), pod("one"));
    await server.put("/registry/core/secrets/a/one", { ...pod("one"), kind: "Secret" });
    const { lines, words: seen } = await watching("/api/v1/pods?watch=1&resourceVersion=1");
    await server.put(key("one"), pod("one", { spec: { n: 1 } }));
    await server.remove(key("one"));
    await settled();
    expect(seen()).toEqual(["ADDED one 2", "MODIFIED one 4", "DELETED one 5"]);
    expect(lines.at(-1)).toBe(
      '{"type":"DELETED","object":{"kind":"Pod","apiVersion":"v1",' +
        '"metadata":{"name":"one","namespace":"a","labels":{},"resourceVersion":"5"},"spec":{"n":1}}}\n',
    );
  });

  it("from no version begins with what there is, and says where that ends to those who take bookmarks", async () => {
    await server.put(key("one"), pod("one"));
    await server.put(key("two"), pod("two"));
    const plain = await watching("/api/v1/pods?watch=1");
    const bookmarked = await watching("/api/v1/pods?watch=1&resourceVersion=0&allowWatchBookmarks=true");
    await server.put(key("three"), pod("three"));
    await settled();
    expect(plain.words()).toEqual(["ADDED one 2", "ADDED two 3", "ADDED three 4"]);
    expect(bookmarked.words()).toEqual(["ADDED one 2", "ADDED two 3", "BOOKMARK - 3", "ADDED three 4"]);
    expect(bookmarked.lines[2]).toBe(
      '{"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1",' +
        '"metadata":{"resourceVersion":"3","annotations":{"k8s.io/initial-events-end":"true"}}}}\n',
    );
  });

  it("can begin with what comes next, or with a version that is yet to come", async () => {
    await server.put(key("one"), pod("one"));
    const next = await watching("/api/v1/pods?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan");
    const later = await watching("/api/v1/pods?watch=1&resourceVersion=3");
    await server.put(key("two"), pod("two"));
    await server.put(key("three"), pod("three"));
    await settled();
    expect(next.words()).toEqual(["ADDED two 3", "ADDED three 4"]);
    expect(later.words()).toEqual(["ADDED three 4"]);
  });

  it("of a selection tells what comes into it as added, and what leaves it as deleted", async () => {
    const { words: seen } = await watching("/api/v1/namespaces/a/pods?watch=1&labelSelector=app&resourceVersion=1");
    await server.put(key("one"), pod("one"));
    await server.put(key("one"), pod("one", {}, { app: "web" }));
    await server.put(key("one"), pod("one", { spec: {} }, { app: "web" }));
    await server.put(key("one"), pod("one"));
    await server.remove(key("one"));
    await settled();
    expect(seen()).toEqual(["ADDED one 3", "MODIFIED one 4", "DELETED one 5"]);
  });

  it("of one name is told of no other that begins like it", async () => {
    await server.put(key("one"), pod("one"));
    await server.put(key("one-more"), pod("one-more"));
    const query = "watch=1&fieldSelector=metadata.name%3Done";
    const { words: seen } = await watching(`/api/v1/namespaces/a/pods?${query}`);
    const everywhere = await watching(`/api/v1/pods?${query}`);
    await server.put(key("one-more"), pod("one-more"));
    await server.put(key("one"), pod("one"));
    await settled();
    expect(seen()).toEqual(["ADDED one 2", "MODIFIED one 5"]);
    expect(everywhere.words()).toEqual(["ADDED one 2", "MODIFIED one 5"]);
  });

  it("from before what is remembered is told so in the stream, which ends", async () => {
    server = readingServer({ log: { maximumChanges: 1, maximumCharacters: 1e6 } });
    for (const name of ["one", "two", "three"]) await server.put(key(name), pod(name));
    const { lines, done } = await watching("/api/v1/pods?watch=1&resourceVersion=1");
    await done;
    expect(lines).toEqual([
      '{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",' +
        '"message":"too old resource version: 1 (3)","reason":"Expired","code":410}}\n',
    ]);
  });

  it("for a version that does not come in time is told so in the stream", async () => {
    const starting = watching(
      "/api/v1/pods?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=9",
    );
    await server.clock.advance(3000);
    const { words: seen, done } = await starting;
    await done;
    expect(seen()).toEqual(["ERROR Timeout: Too large resource version: 9, current: 1"]);
  });

  it.each([
    [
      "resourceVersionMatch=NotOlderThan&resourceVersion=1",
      '422 Invalid: ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    ],
    [
      "sendInitialEvents=true",
      '422 Invalid: ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    ],
    ["resourceVersion=x", '500 -: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax'],
    ["fieldSelector=x%3D1", "400 BadRequest: field label not supported: x"],
  ])("is refused: %s", async (query, answer) => {
    expect(await told(watchObjects(server, getRequest(`/api/v1/pods?watch=1&${query}`)))).toBe(answer);
    expect(server.hub.size).toBe(0);
  });
});

describe("a watch in time", () => {
  it("sends a bookmark every minute and before its end when something has happened, and ends", async () => {
    const { words: seen, done } = await watching(
      "/api/v1/pods?watch=1&resourceVersion=1&allowWatchBookmarks=true&timeoutSeconds=100",
    );
    await server.clock.advance(60_000);
    expect(seen()).toEqual([]);
    await server.put("/registry/core/secrets/a/one", { ...pod("one"), kind: "Secret" });
    await server.clock.advance(38_000);
    await settled();
    expect(seen()).toEqual(["BOOKMARK - 2"]);
    await server.clock.advance(2000);
    await done;
    expect(server.clock.sleeping).toBe(0);
    expect(server.hub.size).toBe(0);
  });

  it("ends with its client, whether it has begun to read or not", async () => {
    const client = new AbortController();
    const { done } = await watching("/api/v1/pods?watch=1", client.signal);
    await watchObjects(server, getRequest("/api/v1/pods?watch=1", client.signal));
    expect(server.hub.size).toBe(2);
    client.abort();
    await done;
    await settled();
    expect(server.hub.size).toBe(0);
    expect(server.clock.sleeping).toBe(0);
  });

  it("is ended when the client does not read, and keeps nothing for it", async () => {
    const streamLimits = { maximumLines: 3, maximumCharacters: 1e6 };
    const { body } = await watchObjects({ ...server, streamLimits }, getRequest("/api/v1/pods?watch=1"));
    for (let n = 0; n < 5; n++) await server.put(key("one"), pod("one"));
    expect(server.hub.size).toBe(0);
    const read: string[] = [];
    for await (const line of body) read.push(String(line));
    expect(read).toEqual([]);
  });
});

describe("many watches", () => {
  it("have the text of an event made once for all of them", async () => {
    let made = 0;
    const counting = (resource: Parameters<typeof asServed>[0]): ObjectForm => {
      const form = asServed(resource);
      const object = (text: string) => {
        made += 1;
        return form.object(text);
      };
      return { ...form, object };
    };
    const firsts: Promise<IteratorResult<string>>[] = [];
    for (let n = 0; n < 100; n++) {
      const { body } = await watchObjects(server, getRequest("/api/v1/pods?watch=1"), counting);
      firsts.push((body as AsyncIterable<string>)[Symbol.asyncIterator]().next());
    }
    await server.put(key("one"), pod("one"));
    const lines = new Set((await Promise.all(firsts)).map(({ value }) => String(value)));
    expect([...lines].map(words)).toEqual(["ADDED one 2"]);
    expect(made).toBe(1);
  });
});
