import { type Clock, hasErrorCode, metadataOnly, persistentVolumeClaims, persistentVolumes } from "@stowage/machinery";
import { ManualClock } from "@stowage/machinery/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { openWatch, type Script, sendJson, sendStatus, startScriptedServer } from "../fixtures/scripted-server.ts";
import { createClient } from "./create-client.ts";
import { isConflict, isExpired, isForbidden, isNotFound, isTooManyRequests } from "./predicates.ts";

async function serving(script: Script, options: { timeoutMs?: number; clock?: Clock } = {}) {
  const server = await startScriptedServer(script);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { server, client: createClient({ transport: server.transport, ...options }) };
}

async function failureOf(promise: Promise<unknown>): Promise<Error & { code?: string; nextStep?: string }> {
  return promise.then(
    () => expect.fail("it should have failed"),
    (error: Error) => error,
  );
}

const claim = (name: string, more: object = {}) => ({
  apiVersion: "v1" as const,
  kind: "PersistentVolumeClaim" as const,
  metadata: { name, namespace: "shop", resourceVersion: "7", ...more },
});

describe("reading", () => {
  it("gets an object by namespace and name", async () => {
    const { client, server } = await serving((_, response) => sendJson(response, 200, claim("data")));
    const found = await client.get(persistentVolumeClaims, { namespace: "shop", name: "data" });
    expect(found.metadata.name).toBe("data");
    expect(server.requests[0]?.path).toBe("/api/v1/namespaces/shop/persistentvolumeclaims/data");
  });

  it("finds nothing where get would say not found", async () => {
    const { client } = await serving((_, response) => sendStatus(response, 404, "NotFound"));
    expect(await client.find(persistentVolumeClaims, { namespace: "shop", name: "data" })).toBeUndefined();
    const failure = await failureOf(client.get(persistentVolumeClaims, { namespace: "shop", name: "data" }));
    expect(isNotFound(failure)).toBe(true);
  });

  it("gives the items of a list their type, which the server leaves out", async () => {
    const { client } = await serving((_, response) =>
      sendJson(response, 200, {
        kind: "List",
        metadata: { resourceVersion: "9" },
        items: [{ metadata: { name: "pv-1" } }],
      }),
    );
    const list = await client.list(persistentVolumes);
    expect(list.items[0]).toEqual({ apiVersion: "v1", kind: "PersistentVolume", metadata: { name: "pv-1" } });
    expect(list.resourceVersion).toBe("9");
  });

  it("asks for metadata alone when told to, and keeps the kind of the object", async () => {
    const { client, server } = await serving((_, response) =>
      sendJson(response, 200, {
        kind: "PartialObjectMetadata",
        apiVersion: "meta.k8s.io/v1",
        metadata: { name: "data", namespace: "shop" },
      }),
    );
    const found = await client.get(metadataOnly(persistentVolumeClaims), { namespace: "shop", name: "data" });
    expect(found.kind).toBe("PersistentVolumeClaim");
    const patch = { type: "merge", patch: { spec: {} } } as const;
    const patched = await client.patch(
      metadataOnly(persistentVolumeClaims),
      { namespace: "shop", name: "data" },
      patch,
    );
    expect(patched.kind).toBe("PersistentVolumeClaim");
    for (const { headers } of server.requests) expect(headers.accept).toContain("as=PartialObjectMetadata;");
  });

  it("lists page after page, and all at once when the server forgets the version being paged", async () => {
    const { client, server } = await serving(({ query }, response) => {
      if (query.get("continue") === "next") return sendStatus(response, 410, "Expired");
      if (query.has("limit")) {
        return sendJson(response, 200, {
          metadata: { resourceVersion: "1", continue: "next" },
          items: [{ metadata: { name: "a" } }],
        });
      }
      sendJson(response, 200, {
        metadata: { resourceVersion: "2" },
        items: [{ metadata: { name: "a" } }, { metadata: { name: "b" } }],
      });
    });
    const list = await client.listAll(persistentVolumes);
    expect(list.items.map((item) => item.metadata.name)).toEqual(["a", "b"]);
    expect(server.requests.length).toBe(3);
  });

  it("refuses a name that would leave its place in the path", async () => {
    const { client, server } = await serving((_, response) => sendJson(response, 200, {}));
    for (const name of ["..", ".", ""]) {
      const failure = await failureOf((async () => client.get(persistentVolumes, { name }))());
      expect(hasErrorCode(failure, "INVALID_REQUEST")).toBe(true);
    }
    await client.get(persistentVolumes, { name: "a/../../secrets" });
    expect(server.requests[0]?.path).toBe("/api/v1/persistentvolumes/a%2F..%2F..%2Fsecrets");
  });
});

describe("writing", () => {
  it("fills in the type of an object to create", async () => {
    const { client, server } = await serving(({ body }, response) => sendJson(response, 201, JSON.parse(body)));
    await client.create(
      persistentVolumeClaims,
      { metadata: { name: "data", namespace: "shop" } },
      { fieldManager: "me", dryRun: true },
    );
    const [request] = server.requests;
    expect(request?.method).toBe("POST");
    expect(request?.query.get("dryRun")).toBe("All");
    expect(request?.query.get("fieldManager")).toBe("me");
    expect(JSON.parse(request?.body ?? "")).toMatchObject({ apiVersion: "v1", kind: "PersistentVolumeClaim" });
  });

  it.each([
    ["json", "application/json-patch+json"],
    ["merge", "application/merge-patch+json"],
    ["strategic", "application/strategic-merge-patch+json"],
  ] as const)("sends a %s patch under its own content type", async (type, contentType) => {
    const { client, server } = await serving((_, response) => sendJson(response, 200, claim("data")));
    const patch = type === "json" ? { type, patch: [] } : { type, patch: {} };
    await client.patch(persistentVolumeClaims, { namespace: "shop", name: "data" }, patch, { subresource: "status" });
    expect(server.requests[0]?.headers["content-type"]).toBe(contentType);
    expect(server.requests[0]?.path.endsWith("/data/status")).toBe(true);
  });

  it("applies as a named manager", async () => {
    const { client, server } = await serving((_, response) => sendJson(response, 200, claim("data")));
    await client.apply(
      persistentVolumeClaims,
      { metadata: { name: "data", namespace: "shop" } },
      { fieldManager: "me", force: true },
    );
    const [request] = server.requests;
    expect([request?.method, request?.query.get("fieldManager"), request?.query.get("force")]).toEqual([
      "PATCH",
      "me",
      "true",
    ]);
    expect(request?.headers["content-type"]).toBe("application/apply-patch+yaml");
  });

  it("tells an object that is gone from one that lingers on its finalizers", async () => {
    const { client, server } = await serving((_, response) =>
      sendJson(response, 200, { kind: "Status", status: "Success" }),
    );
    const ref = { namespace: "shop", name: "data" };
    expect(await client.delete(persistentVolumeClaims, ref, { preconditions: { uid: "u1" } })).toEqual({ gone: true });
    expect(JSON.parse(server.requests[0]?.body ?? "")).toMatchObject({
      kind: "DeleteOptions",
      preconditions: { uid: "u1" },
    });
    server.answerWith((_, response) =>
      sendJson(response, 200, claim("data", { deletionTimestamp: "2026-01-01T00:00:00Z" })),
    );
    expect(await client.delete(persistentVolumeClaims, ref)).toMatchObject({
      gone: false,
      object: { metadata: { name: "data" } },
    });
  });
});

describe("trouble", () => {
  it("repeats any request that the server was too busy for, when the server says", async () => {
    let answers = 0;
    const clock = new ManualClock();
    const script: Script = (_, response) => {
      answers++;
      if (answers === 1)
        return sendJson(
          response,
          429,
          { kind: "Status", code: 429, reason: "TooManyRequests" },
          { "retry-after": "1" },
        );
      sendJson(response, 201, claim("data"));
    };
    const { client, server } = await serving(script, { clock });
    const created = client.create(persistentVolumeClaims, claim("data"));
    await expect.poll(() => clock.sleeping).toBe(1);
    await clock.advance(999);
    expect(clock.sleeping).toBe(1);
    expect(server.requests.length).toBe(1);
    await clock.advance(1);
    await created;
    expect(server.requests.length).toBe(2);
  });

  it("repeats a read that a failing server could not answer, but never a write", async () => {
    const { client, server } = await serving(({ method }, response) => {
      if (server.requests.length < 3 || method !== "GET") return sendStatus(response, 503, "ServiceUnavailable");
      sendJson(response, 200, claim("data"));
    });
    await client.get(persistentVolumeClaims, { namespace: "shop", name: "data" });
    expect(server.requests.length).toBe(3);
    await failureOf(client.update(persistentVolumeClaims, claim("data")));
    expect(server.requests.length).toBe(4);
  });

  it("gives the server's Status with the error, and predicates for its reason", async () => {
    const { client } = await serving((_, response) => sendStatus(response, 409, "Conflict"));
    const failure = await failureOf(client.update(persistentVolumeClaims, claim("data")));
    expect(isConflict(failure)).toBe(true);
    expect([isForbidden, isExpired, isTooManyRequests].some((is) => is(failure))).toBe(false);
    expect(failure.message).toContain("Conflict it is");
    expect(failure.message).toContain("/persistentvolumeclaims/data");
  });

  it("says that a web page is no Kubernetes API", async () => {
    const { client, server } = await serving((_, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<html>\n<h1>Welcome</h1></html>");
    });
    const failure = await failureOf(client.list(persistentVolumes));
    expect(failure.code).toBe("NOT_A_KUBERNETES_API");
    expect(failure.message).toContain(server.url);
    expect(failure.message).toContain("<h1>Welcome</h1>");
    expect(failure.nextStep).toContain("kubeconfig");
  });

  it("says that a proxy's error page is an error, with its status", async () => {
    const { client } = await serving((_, response) => {
      response.writeHead(404, { "content-type": "text/html" });
      response.end("<html>no such site</html>");
    });
    const failure = await failureOf(client.list(persistentVolumes));
    expect(isNotFound(failure)).toBe(true);
    expect(failure.message).toContain("no such site");
  });

  it("says where JSON that is cut off came from", async () => {
    const { client, server } = await serving((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end('{"kind":"PersistentVolumeList","items":[{"metadata":{"na');
    });
    const failure = await failureOf(client.list(persistentVolumes));
    expect(failure.code).toBe("MALFORMED_RESPONSE");
    expect(failure.message).toContain(`${server.url}/api/v1/persistentvolumes`);
  });

  it("reads again when the connection breaks in the middle of an answer", async () => {
    const { client, server } = await serving((_, response) => {
      if (server.requests.length > 1) return sendJson(response, 200, { metadata: { resourceVersion: "3" }, items: [] });
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"kind":', () => response.socket?.destroy());
    });
    expect((await client.list(persistentVolumes)).resourceVersion).toBe("3");
    expect(server.requests.length).toBe(2);
  });

  it("gives up at the deadline on a server that never answers, naming the URL", async () => {
    const { client, server } = await serving(() => {}, { timeoutMs: 100 });
    const failure = await failureOf(client.list(persistentVolumes));
    expect(failure.code).toBe("REQUEST_TIMEOUT");
    expect(failure.message).toContain(server.url);
  });

  it("stops at once when aborted, with the caller's reason", async () => {
    const controller = new AbortController();
    const { client } = await serving(() => controller.abort(new Error("enough")));
    const failure = await failureOf(client.list(persistentVolumes, { signal: controller.signal }));
    expect(failure.message).toBe("enough");
  });
});

describe("watching", () => {
  it("hands over events in order and ends when the server does", async () => {
    const added = JSON.stringify({ type: "ADDED", object: claim("a") });
    const modified = JSON.stringify({ type: "MODIFIED", object: claim("ü") });
    let sendRest = () => {};
    const { client, server } = await serving((_, response) => {
      const watch = openWatch(response);
      // In one piece, so that the beginning of the second has come when the first is handed over.
      watch.sendRaw(`${added}\n${modified.slice(0, 20)}`);
      sendRest = () => {
        watch.sendRaw(`${modified.slice(20)}\n`);
        watch.end();
      };
    });
    const seen: string[] = [];
    await client.watch(
      persistentVolumeClaims,
      { resourceVersion: "5", allowWatchBookmarks: true },
      ({ type, object }) => {
        seen.push(`${type} ${object.metadata.name}`);
        if (type === "ADDED") sendRest();
      },
    );
    expect(seen).toEqual(["ADDED a", "MODIFIED ü"]);
    const { query } = server.requests[0] as { query: URLSearchParams };
    expect([query.get("watch"), query.get("resourceVersion"), query.get("allowWatchBookmarks")]).toEqual([
      "true",
      "5",
      "true",
    ]);
  });

  it("turns an ERROR event into the error that it stands for", async () => {
    const { client } = await serving((_, response) => {
      openWatch(response).send("ERROR", { kind: "Status", code: 410, reason: "Expired", message: "too old" });
    });
    expect(isExpired(await failureOf(client.watch(persistentVolumes, {}, () => {})))).toBe(true);
  });

  it.each([
    ["not JSON", "garbage\n"],
    ["no event", '{"hello":"world"}\n'],
    ["an unknown type", '{"type":"WHAT","object":{}}\n'],
    ["null", "null\n"],
  ])("refuses a line that is %s, naming the URL", async (_, line) => {
    const { client, server } = await serving((_, response) => openWatch(response).sendRaw(line));
    const failure = await failureOf(client.watch(persistentVolumes, {}, () => {}));
    expect(failure.code).toBe("MALFORMED_WATCH");
    expect(failure.message).toContain(server.url);
  });

  it("says so when the answer is a web page", async () => {
    const { client } = await serving((_, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<html></html>");
    });
    expect((await failureOf(client.watch(persistentVolumes, {}, () => {}))).code).toBe("NOT_A_KUBERNETES_API");
  });

  it("ends at once when aborted", async () => {
    const { client } = await serving((_, response) => openWatch(response).send("ADDED", claim("a")));
    const controller = new AbortController();
    // After the event is dealt with, so that the watch waits for the next one.
    const abort = () => void setImmediate(() => controller.abort(new Error("enough")));
    const failure = await failureOf(client.watch(persistentVolumes, { signal: controller.signal }, abort));
    expect(failure.message).toBe("enough");
  });
});
