import { getEventListeners } from "node:events";
import { createServer } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { failureOf } from "../config/fixtures/failure.ts";
import { createTransport } from "./create-transport.ts";
import { connectionTo, textOf } from "./fixtures/connection.ts";
import { testBed } from "./fixtures/test-bed.ts";
import { answerJson, started } from "./fixtures/test-server.ts";

const bed = testBed();
const get = { method: "GET", path: "/" } as const;

describe("connections", () => {
  it("are used again", async () => {
    const server = await bed.http((_, response) => answerJson(response, {}));
    const transport = bed.transport(server.url);
    for (let count = 0; count < 5; count += 1) {
      await textOf(await transport.send(get));
    }
    expect(server.connections()).toBe(1);
  });

  it("are as many as there are watches", async () => {
    const server = await bed.http((request, response) =>
      request.url === "/watch" ? response.write("x") : response.end("done"),
    );
    const transport = bed.transport(server.url);
    await Promise.all(Array.from({ length: 200 }, () => transport.send({ method: "GET", path: "/watch" })));
    expect(await textOf(await transport.send(get))).toBe("done");
    expect(server.connections()).toBe(201);
  });

  it("are no more than requests may be under way, beside those of watches; failures give their place back", async () => {
    let left = 50;
    const watches: { end(text: string): void }[] = [];
    const server = await bed.http((request, response) => {
      if (request.url === "/watch") {
        response.flushHeaders();
        watches.push(response);
      } else if (--left % 10 === 0) request.socket.destroy();
      else setImmediate(() => response.end("done"));
    });
    const transport = bed.transport(server.url, {}, { maxRequests: 3 });
    const watching = Array.from({ length: 5 }, () =>
      transport.send({ method: "GET", path: "/watch", isStream: true }).then(textOf),
    );
    await expect.poll(() => watches.length).toBe(5);
    const write = { method: "POST", path: "/", body: "{}" } as const;
    const send = async () => await textOf(await transport.send(write));
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => send().catch(() => "cut")));
    expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(45);
    // Three, the five that were cut and made anew, and those of the watches.
    expect(server.connections()).toBeLessThanOrEqual(3 + 5 + 5);
    for (const watch of watches) watch.end("over");
    expect(await Promise.all(watching)).toEqual(Array.from({ length: 5 }, () => "over"));
  });

  it("are closed when nobody uses them for a while, unless a response is still running", async () => {
    let finish = () => {};
    const server = await bed.http((request, response) => {
      if (request.url === "/watch") {
        response.write("x");
        finish = () => response.end("y");
      } else {
        response.end();
      }
    });
    const transport = bed.transport(server.url, {}, { idleTimeoutMs: 100 });
    await textOf(await transport.send(get));
    const watch = await transport.send({ method: "GET", path: "/watch" });
    await textOf(await transport.send(get));
    await expect.poll(() => server.sockets.size).toBe(1);
    // Once more, so that the one with the response has been there for longer than it takes.
    await textOf(await transport.send(get));
    await expect.poll(() => server.sockets.size).toBe(1);
    finish();
    expect(await textOf(watch)).toBe("xy");
  });
});

describe("a connection that the server closed while it was idle", () => {
  /** Answers the first request of each connection, and hangs up on the second without an answer. */
  async function forgetfulServer() {
    const seen = new WeakSet<object>();
    const methods: string[] = [];
    const server = await bed.http((request, response) => {
      methods.push(request.method ?? "");
      if (seen.has(request.socket)) {
        request.socket.destroy();
        return;
      }
      seen.add(request.socket);
      response.end("fine");
    });
    return { server, methods };
  }

  it.each(["GET", "HEAD"] as const)("does not hurt a read: %s is sent again on a new one", async (method) => {
    const { server, methods } = await forgetfulServer();
    const transport = bed.transport(server.url);
    await textOf(await transport.send(get));
    expect((await transport.send({ method, path: "/" })).status).toBe(200);
    expect(methods).toEqual(["GET", method, method]);
  });

  it.each(["POST", "PUT", "PATCH", "DELETE"] as const)(
    "fails a write, which may have been done: %s",
    async (method) => {
      const { server, methods } = await forgetfulServer();
      const transport = bed.transport(server.url);
      await textOf(await transport.send(get));
      const failure = await failureOf(transport.send({ method, path: "/api/v1/pods?dryRun=All", body: "{}" }));
      expect(failure.code).toBe("CONNECTION_RESET");
      expect(failure.message).toContain(`${method} ${server.url}/api/v1/pods: `);
      expect(methods).toEqual(["GET", method]);
    },
  );

  it("is not a reason to try twice when the connection was new", async () => {
    let count = 0;
    const server = await bed.http((request) => {
      count += 1;
      request.socket.destroy();
    });
    expect((await failureOf(bed.transport(server.url).send(get))).code).toBe("CONNECTION_RESET");
    expect(count).toBe(1);
  });
});

describe("aborting", () => {
  it("before sending rejects with the reason, and sends nothing", async () => {
    const server = await bed.http((_, response) => response.end());
    const reason = new Error("enough");
    await expect(bed.transport(server.url).send({ ...get, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(server.connections()).toBe(0);
  });

  it("while waiting for the answer rejects with the reason, and hangs up", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const server = await bed.http(() => controller.abort(reason));
    await expect(bed.transport(server.url).send({ ...get, signal: controller.signal })).rejects.toBe(reason);
    await expect.poll(() => server.sockets.size).toBe(0);
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  });

  it("while connecting rejects with the reason", async () => {
    const deaf = bed.use(
      await started(
        createServer((socket) => socket.resume()),
        "https",
      ),
    );
    const controller = new AbortController();
    const sent = bed.transport(deaf.url).send({ ...get, signal: controller.signal });
    await expect.poll(() => deaf.connections()).toBe(1);
    controller.abort("enough");
    await expect(sent).rejects.toBe("enough");
  });

  it("while reading ends the body with the reason, and hangs up", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const server = await bed.http((_, response) => response.write("x"));
    const answer = await bed.transport(server.url).send({ ...get, signal: controller.signal });
    controller.abort(reason);
    await expect(textOf(answer)).rejects.toBe(reason);
    await expect.poll(() => server.sockets.size).toBe(0);
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  });

  it("leaves no listener on the signal after a response was read", async () => {
    const { signal } = new AbortController();
    const server = await bed.http((_, response) => response.end("x"));
    const transport = bed.transport(server.url);
    for (let count = 0; count < 3; count += 1) {
      await textOf(await transport.send({ ...get, signal }));
    }
    await expect.poll(() => getEventListeners(signal, "abort").length).toBe(0);
  });
});

describe("a server that accepts and then says nothing", () => {
  afterEach(() => void vi.useRealTimers());

  /** Time passes for the transport alone, and only when the test says so, however busy the machine is. */
  const holdTime = () => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });

  it("is given up on after a while", async () => {
    const server = await bed.http(() => {});
    const failure = await failureOf(bed.transport(server.url, {}, { responseHeaderTimeoutMs: 50 }).send(get));
    expect(failure.code).toBe("RESPONSE_TIMEOUT");
    expect(failure.message).toBe(`GET ${server.url}/: no answer began within 0.05 s.`);
    await expect.poll(() => server.sockets.size).toBe(0);
  });

  it("is given as much time as the request allows", async () => {
    holdTime();
    const server = await bed.http((_, response) => {
      vi.advanceTimersByTime(4_999);
      response.end("late");
    });
    const transport = bed.transport(server.url, {}, { responseHeaderTimeoutMs: 50 });
    expect(await textOf(await transport.send({ ...get, responseHeaderTimeoutMs: 5_000 }))).toBe("late");
  });

  it("may take its time once the answer has begun", async () => {
    holdTime();
    let finish = () => {};
    const server = await bed.http((_, response) => {
      response.write("a");
      finish = () => response.end("b");
    });
    const answer = await bed.transport(server.url, {}, { responseHeaderTimeoutMs: 50 }).send(get);
    vi.advanceTimersByTime(60_000);
    finish();
    expect(await textOf(answer)).toBe("ab");
  });
});

describe("closing", () => {
  it("ends idle connections, and requests under way with an error", async () => {
    const underWay = Promise.withResolvers<void>();
    const server = await bed.http((request, response) => (request.url === "/" ? response.end() : underWay.resolve()));
    const transport = createTransport(connectionTo(server.url));
    await textOf(await transport.send(get));
    const waiting = failureOf(transport.send({ method: "GET", path: "/forever" }));
    await underWay.promise;
    expect(server.connections()).toBe(1);
    transport.close();
    expect((await waiting).code).toBe("TRANSPORT_CLOSED");
    await expect.poll(() => server.sockets.size).toBe(0);
    expect((await failureOf(transport.send(get))).code).toBe("TRANSPORT_CLOSED");
  });

  it("ends a response that is being read", async () => {
    const server = await bed.http((_, response) => response.write("x"));
    const transport = createTransport(connectionTo(server.url));
    const answer = await transport.send(get);
    transport.close();
    await expect(textOf(answer)).rejects.toThrow("aborted");
  });

  it("ends a connection that is still being made", async () => {
    const deaf = bed.use(
      await started(
        createServer((socket) => socket.resume()),
        "https",
      ),
    );
    const transport = createTransport(connectionTo(deaf.url));
    const waiting = failureOf(transport.send(get));
    await expect.poll(() => deaf.sockets.size).toBe(1);
    transport.close();
    expect((await waiting).code).toBe("TRANSPORT_CLOSED");
    await expect.poll(() => deaf.sockets.size).toBe(0);
  });
});
