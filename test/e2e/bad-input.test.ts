// needs: cli version, cli watch
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer as createHttpServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { stowage } from "./stowage.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stowage-bad-input-"));
});
afterAll(() => rm(folder, { recursive: true }));

const kubeconfig = (server: string, more: { cluster?: object; user?: object } = {}) =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "here", cluster: { server, ...more.cluster } }],
    users: [{ name: "me", user: more.user ?? {} }],
    contexts: [{ name: "one", context: { cluster: "here", user: "me" } }],
    "current-context": "one",
  });

async function written(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text, { mode: 0o600 });
  return path;
}

async function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<string> {
  const sockets: Socket[] = [];
  server.on("connection", (socket: Socket) => void sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const serving = (listener: RequestListener) => listening(createHttpServer(listener));

describe("a kubeconfig", () => {
  it("that does not exist is named, with the next step", async () => {
    const path = join(folder, "missing");
    const { exitCode, stderr } = await stowage(["version", "--kubeconfig", path]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(path);
    expect(stderr).toContain("next: ");
  });

  it("that is nowhere says where it was looked for", async () => {
    const { exitCode, stderr } = await stowage(["version"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("/nonexistent/.kube/config");
    expect(stderr).toContain("next: ");
  });

  it.each([
    ["is not YAML", "apiVersion: [1, 2"],
    ["is a list", "- a\n- b\n"],
    ["has clusters that are no list", "clusters: 7\n"],
    ["is binary", "\u0000\u0001\u0002"],
  ])("that %s is named", async (what, text) => {
    const path = await written(`bad-${what.replaceAll(" ", "-")}`, text);
    const { exitCode, stderr } = await stowage(["version", "--kubeconfig", path]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(path);
    expect(stderr).toContain("next: ");
  });

  it("without the context asked for lists those that it has", async () => {
    const path = await written("contexts", kubeconfig("https://127.0.0.1:1"));
    const { exitCode, stderr } = await stowage(["version", "--kubeconfig", path, "--context", "two"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('"two"');
    expect(stderr).toContain("one");
  });

  it("whose certificate file is missing names that file", async () => {
    const user = { "client-certificate": "gone.crt", "client-key": "gone.key" };
    const path = await written("certificates", kubeconfig("https://127.0.0.1:1", { user }));
    const { exitCode, stderr } = await stowage(["version", "--kubeconfig", path]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(join(folder, "gone.crt"));
  });

  it("whose certificate is no certificate says so", async () => {
    const data = Buffer.from("not a certificate").toString("base64");
    const user = { "client-certificate-data": data, "client-key-data": data };
    const path = await written("no-pem", kubeconfig("https://127.0.0.1:1", { user }));
    const { exitCode, stderr } = await stowage(["version", "--kubeconfig", path]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('user "me"');
    expect(stderr).toContain("next: ");
  });

  it("never has its token shown", async () => {
    const token = "a-very-secret-token";
    const path = await written("token", kubeconfig("https://127.0.0.1:1", { user: { token } }));
    const { stdout, stderr } = await stowage(["version", "--kubeconfig", path, "--log-level", "debug"]);
    expect(stdout + stderr).not.toContain(token);
    expect(stderr).toContain("127.0.0.1:1");
  });
});

describe("a server", () => {
  it("that is not there is named, with the next step", async () => {
    const path = await written("refused", kubeconfig("https://127.0.0.1:1"));
    const { exitCode, stderr } = await stowage(["version", "--kubeconfig", path]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("https://127.0.0.1:1");
    expect(stderr).toContain("next: ");
  });

  it("that answers HTML is said to be no Kubernetes API", async () => {
    const url = await serving((_, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<html><title>Log in</title></html>");
    });
    const path = await written("html", kubeconfig(url));
    const { exitCode, stderr } = await stowage(["version", "--kubeconfig", path]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`${url}/version`);
    expect(stderr).toContain("<title>Log in</title>");
    expect(stderr).toContain("next: ");
  });

  it("that cuts its JSON off in the middle is named", async () => {
    const url = await serving((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end('{"major":"1","minor":"36","gitVer');
    });
    const path = await written("cut", kubeconfig(url));
    const { exitCode, stderr } = await stowage(["version", "--kubeconfig", path]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`${url}/version`);
    expect(stderr).toContain("next: ");
  });

  it("that speaks plain HTTP where HTTPS was expected is named", async () => {
    const url = await serving((_, response) => response.end("hello"));
    const path = await written("plain", kubeconfig(url.replace("http:", "https:")));
    const { exitCode, stderr } = await stowage(["version", "--kubeconfig", path]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(url.replace("http:", "https:"));
    expect(stderr).toContain("next: ");
  });

  it("that accepts and hangs up is named", async () => {
    const url = await listening(createTcpServer((socket) => socket.end()));
    const path = await written("hangup", kubeconfig(url));
    const { exitCode, stderr } = await stowage(["version", "--kubeconfig", path]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(url);
  });

  it("whose watch sends garbage does not stop a watch from coming in sync or the process from ending", async () => {
    let watches = 0;
    const url = await serving((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://server");
      response.writeHead(200, { "content-type": "application/json" });
      if (pathname === "/api" || pathname === "/apis") return void response.end(JSON.stringify(discovery(pathname)));
      if (!searchParams.has("watch")) return void response.end("{}");
      watches++;
      if (watches <= 2) return void response.end("<<< garbage >>>\n");
      const metadata = { resourceVersion: "5", annotations: { "k8s.io/initial-events-end": "true" } };
      response.write(
        `${JSON.stringify({ type: "ADDED", object: { metadata: { name: "a", uid: "u", resourceVersion: "4" } } })}\n`,
      );
      response.write(`${JSON.stringify({ type: "BOOKMARK", object: { metadata } })}\n`);
    });
    const path = await written("garbage", kubeconfig(url));
    const { exitCode, stdout, stderr } = await stowage(["watch", "pv", "--initial-only", "--kubeconfig", path]);
    expect([exitCode, stdout]).toEqual([0, "added    a 4\n"]);
    expect(stderr).toContain("MALFORMED_WATCH");
    expect(stderr).toContain("garbage");
    expect(stderr).toContain(url);
  });

  it("whose watch sends nothing but garbage ends in an error in time", async () => {
    const url = await serving((request, response) => {
      const { pathname } = new URL(request.url ?? "/", "http://server");
      response.writeHead(200, { "content-type": "application/json" });
      if (pathname === "/api" || pathname === "/apis") return void response.end(JSON.stringify(discovery(pathname)));
      response.end("<<< garbage >>>\n");
    });
    const path = await written("only-garbage", kubeconfig(url));
    const command = ["watch", "pv", "--sync-timeout-seconds", "1", "--kubeconfig", path];
    const { exitCode, stderr } = await stowage(command);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("were not in sync after 1000 ms");
    expect(stderr).toContain("next: ");
  });
});

function discovery(path: string): object {
  const volumes = {
    resource: "persistentvolumes",
    responseKind: { group: "", version: "v1", kind: "PersistentVolume" },
    scope: "Cluster",
    singularResource: "persistentvolume",
    shortNames: ["pv"],
    verbs: ["get", "list", "watch"],
  };
  const core = { metadata: {}, versions: [{ version: "v1", resources: [volumes], freshness: "Current" }] };
  return { kind: "APIGroupDiscoveryList", apiVersion: "apidiscovery.k8s.io/v2", items: path === "/api" ? [core] : [] };
}
