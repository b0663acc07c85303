import { writeFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { failureOf } from "../config/fixtures/failure.ts";
import { temporaryFiles } from "../config/fixtures/temporary-files.ts";
import type { ExecPluginConfig } from "../config/index.ts";
import { connectionTo, textOf } from "./fixtures/connection.ts";
import { testBed } from "./fixtures/test-bed.ts";

const bed = testBed();
const get = { method: "GET", path: "/" } as const;

/** A server that lets in only the token of now, and remembers the tokens it was shown. */
async function guardedServer(accepted: () => string, whenRefusing: () => void = () => {}) {
  const shown: string[] = [];
  const server = await bed.http((request, response) => {
    const token = request.headers.authorization ?? "";
    shown.push(token);
    if (token === `Bearer ${accepted()}`) {
      request.on("end", () => response.end("welcome")).resume();
    } else {
      whenRefusing();
      response.writeHead(401).end("who are you?");
    }
  });
  return { server, shown };
}

function tokenPlugin(script: string): ExecPluginConfig {
  const files = bed.use(temporaryFiles());
  return {
    apiVersion: "client.authentication.k8s.io/v1",
    command: files.script("plugin", script.replaceAll("DIR", files.path)),
    args: [],
    env: { PATH: "/usr/bin:/bin" },
    interactiveMode: "Never",
  };
}

/** The first token is `token-1`, the next `token-2`. */
const counting = `echo run >>DIR/runs
echo "{\\"apiVersion\\":\\"client.authentication.k8s.io/v1\\",\\"kind\\":\\"ExecCredential\\",\\"status\\":{\\"token\\":\\"token-$(wc -l <DIR/runs)\\"}}"`;

describe("a 401", () => {
  it("is answered by the token that has been put in the file since, once", async () => {
    const tokenFile = bed.use(temporaryFiles()).write("token", "old");
    const { server, shown } = await guardedServer(
      () => "new",
      () => writeFileSync(tokenFile, "new"),
    );
    const transport = bed.transport(server.url, { credentials: { tokenFile } });
    const answer = await transport.send({ method: "POST", path: "/", body: "{}" });
    expect(await textOf(answer)).toBe("welcome");
    expect(shown).toEqual(["Bearer old", "Bearer new"]);
  });

  it("is given to the caller, with its body, when there are no other credentials", async () => {
    const { server, shown } = await guardedServer(() => "other");
    const answer = await bed.transport(server.url, { credentials: { token: "t" } }).send(get);
    expect(answer.status).toBe(401);
    expect(await textOf(answer)).toBe("who are you?");
    expect(shown).toHaveLength(1);
  });

  it("is given to the caller when the renewed credentials are refused, too", async () => {
    const { server, shown } = await guardedServer(() => "nobody");
    const exec = tokenPlugin(counting);
    const answer = await bed.transport(server.url, { credentials: { exec } }).send(get);
    expect(answer.status).toBe(401);
    answer.body.resume();
    expect(shown).toEqual(["Bearer token-1", "Bearer token-2"]);
  });

  it("on many requests at once renews the credentials once", async () => {
    const { server, shown } = await guardedServer(() => "token-2");
    const transport = bed.transport(server.url, { credentials: { exec: tokenPlugin(counting) } });
    const answers = await Promise.all(Array.from({ length: 20 }, async () => textOf(await transport.send(get))));
    expect(answers).toEqual(Array.from({ length: 20 }, () => "welcome"));
    expect(new Set(shown)).toEqual(new Set(["Bearer token-1", "Bearer token-2"]));
  });

  it("is replaced by the plugin's failure when that cannot renew", async () => {
    const { server } = await guardedServer(() => "nobody");
    const exec = tokenPlugin(`test -e DIR/runs && exit 1\n${counting}`);
    const failure = await failureOf(
      bed.transport(server.url, { credentials: { exec } }, { onPluginStderr() {} }).send(get),
    );
    expect(failure.code).toBe("CREDENTIAL_PLUGIN_FAILED");
    await expect.poll(() => server.sockets.size).toBe(0);
  });
});

describe("credentials", () => {
  it("that cannot be had fail the request before anything is sent", async () => {
    const { server } = await guardedServer(() => "t");
    const transport = bed.transport(server.url, { credentials: { tokenFile: "/no/such/token" } });
    expect((await failureOf(transport.send(get))).code).toBe("CREDENTIAL_FILE_UNREADABLE");
    expect(server.connections()).toBe(0);
  });

  it("that are being fetched are given up when the transport is closed", async () => {
    const { server } = await guardedServer(() => "t");
    const transport = bed.transport(server.url, { credentials: { exec: tokenPlugin("exec sleep 600") } });
    const failure = failureOf(transport.send(get));
    transport.close();
    expect((await failure).code).toBe("TRANSPORT_CLOSED");
  });

  it("that take long to get can be given up on", async () => {
    const { server } = await guardedServer(() => "t");
    const transport = bed.transport(server.url, { credentials: { exec: tokenPlugin("exec sleep 600") } });
    await expect(transport.send({ ...get, signal: AbortSignal.timeout(100) })).rejects.toMatchObject({
      name: "TimeoutError",
    });
  });

  it("work from a copy of the configuration in a worker thread", async () => {
    const { server } = await guardedServer(() => "token-1");
    const script = `
      const { parentPort, workerData } = require("node:worker_threads");
      import(workerData.module).then(async ({ createTransport }) => {
        const transport = createTransport(workerData.config);
        const answer = await transport.send({ method: "GET", path: "/" });
        parentPort.postMessage(Buffer.concat(await answer.body.toArray()).toString());
        transport.close();
      });`;
    const workerData = {
      module: new URL("./index.ts", import.meta.url).href,
      config: connectionTo(server.url, { credentials: { exec: tokenPlugin(counting) } }),
    };
    const worker = new Worker(script, { eval: true, workerData });
    const said = await new Promise((resolve, reject) => {
      worker.on("message", resolve).on("error", reject);
    });
    expect(said).toBe("welcome");
    await worker.terminate();
  });
});
