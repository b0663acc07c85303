import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { connect } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "./api-server.ts";
import { clientFiles, heardBy1, heardBy2 } from "./fixtures/http-clients.ts";

const namespacePath = "/api/v1/namespaces/default";
const running: ApiServer[] = [];
const folders: string[] = [];

async function started(options: Parameters<typeof startApiServer>[0] = {}): Promise<ApiServer> {
  const server = await startApiServer(options);
  running.push(server);
  return server;
}

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "apiserver-"));
  folders.push(folder);
  return folder;
}

const configMaps = `${namespacePath}/configmaps`;
const json = { "content-type": "application/json" };
const create = (name: string) => ({
  method: "POST",
  path: configMaps,
  body: JSON.stringify({ metadata: { name } }),
  headers: json,
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe("an API server on memory alone", () => {
  it("answers by HTTP/1.1 and by HTTP/2", async () => {
    const server = await started();
    const files = clientFiles(server.kubeconfig());
    const answers = [await heardBy1(files, { path: namespacePath }), await heardBy2(files, { path: namespacePath })];
    for (const { code, headers, text } of answers) {
      expect(code).toBe(200);
      expect(headers["content-type"]).toBe("application/json");
      expect(JSON.parse(text)).toMatchObject({ kind: "Namespace", metadata: { name: "default" } });
    }
  });

  it("knows clients by their certificates", async () => {
    const server = await started();
    const files = clientFiles(server.kubeconfig({ user: "alice", group: "painters" }));
    const { code, text } = await heardBy2(files, { path: "/api/v1/nodes" });
    expect(code).toBe(403);
    expect(JSON.parse(text).message).toContain('User "alice" cannot list resource "nodes"');
  });

  it("takes those without a certificate for nobody, and refuses those whose certificate others have signed", async () => {
    const [server, other] = [await started(), await started()];
    const { url, ca } = clientFiles(server.kubeconfig());
    const nobody = await heardBy1({ url, ca }, { path: "/api/v1/nodes" });
    expect(JSON.parse(nobody.text).message).toContain('User "system:anonymous"');
    const { cert, key } = clientFiles(other.kubeconfig());
    expect((await heardBy1({ url, ca, cert, key }, { path: "/api/v1/nodes" })).code).toBe(401);
  });

  it("lets nobody in who does not say who they are when it is told so", async () => {
    const { url, ca } = clientFiles((await started({ allowsAnonymous: false })).kubeconfig());
    expect((await heardBy1({ url, ca }, { path: namespacePath })).code).toBe(401);
  });

  it("sends the events of a watch as they come, many on one connection", async () => {
    const { url, ...tls } = clientFiles((await started()).kubeconfig());
    const session = connect(url, tls);
    const watches = [0, 1].map(() => session.request({ ":path": `${configMaps}?watch=true` }));
    await Promise.all(watches.map((watch) => once(watch, "response")));
    const made = session.request({ ":method": "POST", ":path": configMaps, ...json });
    made.end(create("seen").body);
    for (const watch of watches) {
      const [line] = await once(watch, "data");
      expect(JSON.parse(String(line))).toMatchObject({ type: "ADDED", object: { metadata: { name: "seen" } } });
    }
    session.destroy();
  });

  it("ends every connection when it is closed", async () => {
    // At an address of its own: nobody else takes the port there when it is free again.
    const server = await startApiServer({ host: "127.91.3.7" });
    const { url, ...tls } = clientFiles(server.kubeconfig());
    const session = connect(url, tls);
    session.on("error", () => {});
    const watch = session.request({ ":path": `${configMaps}?watch=true` });
    watch.on("error", () => {});
    await once(watch, "response");
    const ended = once(session, "close");
    await server.close();
    await ended;
    await expect(heardBy1(clientFiles(server.kubeconfig()), { path: "/" })).rejects.toThrow("ECONNREFUSED");
  });

  it("refuses a body that is too long, in words", async () => {
    const files = clientFiles((await started()).kubeconfig());
    const long = { ...create("long"), body: JSON.stringify({ data: { a: "a".repeat(4 * 1024 * 1024) } }) };
    const { code, text } = await heardBy2(files, long);
    expect(code).toBe(413);
    expect(JSON.parse(text).message).toBe("Request entity too large: limit is 3145728");
  });

  it("compresses what is long for those who can read that", async () => {
    const files = clientFiles((await started()).kubeconfig());
    const body = JSON.stringify({ metadata: { name: "long" }, data: { a: "a".repeat(200_000) } });
    await heardBy2(files, { ...create("long"), body });
    const path = `${configMaps}/long`;
    const compressed = await heardBy2(files, { path, headers: { "accept-encoding": "gzip" } });
    expect(compressed.headers["content-encoding"]).toBe("gzip");
    expect((await heardBy2(files, { path })).headers["content-encoding"]).toBeUndefined();
  });
});

describe("an API server with a data directory", () => {
  it("has everything again after a restart, and the same clients", async () => {
    const dataDir = freshFolder();
    const first = await startApiServer({ dataDir });
    const files = clientFiles(first.kubeconfig());
    expect((await heardBy2(files, create("kept"))).code).toBe(201);
    await first.close();
    const second = await started({ dataDir });
    const again = { ...files, url: second.url };
    expect((await heardBy2(again, { path: `${configMaps}/kept` })).code).toBe(200);
    expect((await heardBy2(again, create("kept"))).code).toBe(409);
  });

  it("has a service of its own, and starts also where another has taken its address", async () => {
    const dataDir = freshFolder();
    const services = `${namespacePath}/services`;
    const first = await startApiServer({ dataDir });
    const files = clientFiles(first.kubeconfig());
    const own = JSON.parse((await heardBy2(files, { path: `${services}/kubernetes` })).text);
    expect(own.spec).toMatchObject({
      clusterIP: "10.96.0.1",
      ports: [{ port: 443, targetPort: Number(new URL(first.url).port) }],
    });
    await heardBy2(files, { method: "DELETE", path: `${services}/kubernetes` });
    const other = { metadata: { name: "other" }, spec: { clusterIP: "10.96.0.1", ports: [{ port: 443 }] } };
    const taken = { method: "POST", path: services, body: JSON.stringify(other), headers: json };
    expect((await heardBy2(files, taken)).code).toBe(201);
    await first.close();
    const second = await started({ dataDir });
    const { code } = await heardBy2({ ...files, url: second.url }, { path: `${services}/kubernetes` });
    expect(code).toBe(404);
  });

  it("lets nobody else read its files", async () => {
    const dataDir = freshFolder();
    const { kubeconfigPath = "" } = await started({ dataDir });
    const files = [dataDir, kubeconfigPath, join(dataDir, "state.db"), join(dataDir, "pki", "ca.key")];
    for (const file of files) expect(statSync(file).mode & 0o077, file).toBe(0);
  });

  it("does not share it with another server", async () => {
    const dataDir = freshFolder();
    await started({ dataDir });
    await expect(startApiServer({ dataDir })).rejects.toMatchObject({ code: "STORE_IN_USE" });
  });

  it("says where it cannot listen, and leaves the directory to others", async () => {
    const dataDir = freshFolder();
    const { url } = await started();
    const port = Number(new URL(url).port);
    await expect(startApiServer({ dataDir, port })).rejects.toMatchObject({ code: "SERVING_ADDRESS_UNUSABLE" });
    await started({ dataDir });
  });
});
