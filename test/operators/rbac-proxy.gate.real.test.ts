import { type IncomingHttpHeaders, type RequestOptions } from "node:http";
import { Agent, request as httpsRequest } from "node:https";
import { text } from "node:stream/consumers";
import type { TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { RbacProxyBench } from "./rbac-proxy/proxy-bench.ts";

/** What a proxy may do in the cluster, and nothing else. */
const proxyRules = [
  { apiGroups: ["authentication.k8s.io"], resources: ["tokenreviews"], verbs: ["create"] },
  { apiGroups: ["authorization.k8s.io"], resources: ["subjectaccessreviews"], verbs: ["create"] },
];
/** Of Prometheus on OpenShift. */
const cipherSuites =
  "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,TLS_AES_128_GCM_SHA256";

let bench: RbacProxyBench;
let kubeconfig: string;

beforeAll(async () => {
  bench = await RbacProxyBench.start();
  await bench.addAccount("proxy", proxyRules);
  await bench.addAccount("prometheus", [{ nonResourceURLs: ["/metrics"], verbs: ["get"] }]);
  await bench.addAccount("reader", [{ apiGroups: [""], resources: ["services/proxy"], verbs: ["get"] }]);
  await bench.addAccount("stranger", []);
  kubeconfig = await bench.kubeconfigOf("proxy");
});

afterAll(() => bench[Symbol.asyncDispose]());

/** A machine may be busy with other things. */
const eventually = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 60_000 });

describe("with the arguments of a driver's manifests", () => {
  it("lets a scraper have the metrics, and nobody else", async () => {
    const metrics = await bench.startMetrics();
    const { url, process } = await bench.startProxy([
      `--upstream=${metrics.url}`,
      `--tls-cipher-suites=${cipherSuites}`,
      "--tls-min-version=VersionTLS12",
      `--kubeconfig=${kubeconfig}`,
    ]);
    const token = await bench.tokenOf("prometheus");
    const scraped = await scrape(`${url}/metrics`, token);
    expect(scraped).toMatchObject({ status: 200, text: expect.stringContaining("\nvolumes 3\n") });
    expect(scraped.headers["content-type"]).toContain("text/plain; version=0.0.4");
    expect(metrics.received[0]).not.toHaveProperty("authorization");
    expect(await scrape(`${url}/other`, token)).toMatchObject({ status: 403 });

    const user = `system:serviceaccount:${bench.namespace}:stranger`;
    const byStranger = await scrape(`${url}/metrics`, await bench.tokenOf("stranger"));
    expect(byStranger).toMatchObject({ status: 403, text: `Forbidden (user=${user}, verb=get, path=/metrics)\n` });
    expect((await scrape(`${url}/metrics`)).status).toBe(401);
    expect((await scrape(`${url}/metrics`, `${token}x`)).status).toBe(401);
    expect((await scrape(`${url}/metrics`, await bench.tokenOf("prometheus", ["elsewhere"]))).status).toBe(401);
    expect(metrics.received).toHaveLength(1);

    await metrics.close();
    expect(await scrape(`${url}/metrics`, token)).toMatchObject({ status: 502 });
    expect(await process.stop()).toBe(0);
    expect(process.log).toContain("the upstream cannot be reached");
    expect(process.log).not.toContain(token.split(".")[2]);
  });

  it("goes on with a new certificate when there is one", async () => {
    const metrics = await bench.startMetrics();
    const flags = [`--upstream=${metrics.url}`, `--kubeconfig=${kubeconfig}`, "--tls-reload-interval=100ms"];
    const { url } = await bench.startProxy(flags);
    const token = await bench.tokenOf("prometheus");
    const kept = new Agent({ keepAlive: true, maxSockets: 1 });
    const first = await scrape(`${url}/metrics`, token, { agent: kept });
    bench.renewCertificate();
    await eventually(async () => {
      const { status, serial } = await scrape(`${url}/metrics`, token);
      expect(status).toBe(200);
      expect(serial).not.toBe(first.serial);
    });
    expect(await scrape(`${url}/metrics`, token, { agent: kept })).toMatchObject({ status: 200, serial: first.serial });
    kept.destroy();
  });
});

it("asks for the right of the file, for the audience of the flag, and knows the cluster's own certificates", async () => {
  const metrics = await bench.startMetrics();
  const { caFile, cert, key } = bench.administratorPair();
  const config = `
authorization:
  resourceAttributes: { namespace: ${bench.namespace}, apiVersion: v1, resource: services, subresource: proxy, name: driver }
  static:
    - user: { name: "system:serviceaccount:${bench.namespace}:stranger" }
      verb: delete
      resourceRequest: true
`;
  const { url } = await bench.startProxy([
    `--upstream=${metrics.url}`,
    `--kubeconfig=${kubeconfig}`,
    `--config-file=${bench.file("config.yaml", config)}`,
    "--auth-token-audiences=metrics,other",
    "--ignore-paths=/healthz",
    "--ignore-paths=/livez/*",
    "--auth-header-fields-enabled",
    `--client-ca-file=${caFile}`,
  ]);
  const statusOf = async (account: string, options: RequestOptions = {}, audiences: string[] = ["metrics"]) =>
    (await scrape(`${url}/anything`, await bench.tokenOf(account, audiences), options)).status;
  expect(await statusOf("reader")).toBe(200);
  expect(metrics.received.at(-1)).toMatchObject({
    "x-remote-user": `system:serviceaccount:${bench.namespace}:reader`,
    "x-remote-groups": expect.stringContaining("|system:authenticated"),
  });
  expect(await statusOf("reader", { method: "DELETE" })).toBe(403);
  expect(await statusOf("reader", {}, ["third"])).toBe(401);
  expect((await scrape(`${url}/anything`, await bench.tokenOf("reader"))).status).toBe(401);
  expect(await statusOf("prometheus")).toBe(403);
  expect(await statusOf("stranger", { method: "DELETE" })).toBe(200);
  expect((await scrape(`${url}/healthz`)).status).toBe(200);
  expect((await scrape(`${url}/livez/disk`)).status).toBe(200);
  expect((await scrape(`${url}/anything`, undefined, { cert, key })).status).toBe(200);
  expect(metrics.received.at(-1)).toMatchObject({ "x-remote-user": "admin" });
});

it("lets nobody pass, and says why, when it may not ask", async () => {
  const metrics = await bench.startMetrics();
  const powerless = await bench.kubeconfigOf("stranger");
  const { url, process } = await bench.startProxy([`--upstream=${metrics.url}`, `--kubeconfig=${powerless}`]);
  const answer = await scrape(`${url}/metrics`, await bench.tokenOf("prometheus"));
  expect(answer).toMatchObject({ status: 401, text: expect.stringContaining("could not be asked") });
  expect(process.log).toContain("cannot create resource");
  expect(metrics.received).toEqual([]);
});

interface Scraped {
  readonly status: number;
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
  readonly serial: string;
}

/** As Prometheus does it: trusts the authority of the certificate, and says what it understands. */
async function scrape(url: string, token?: string, options: object = {}): Promise<Scraped> {
  const { promise, resolve, reject } = Promise.withResolvers<Scraped>();
  const headers = {
    accept: "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1",
    "accept-encoding": "gzip",
    "user-agent": "Prometheus/3.5.0",
    "x-prometheus-scrape-timeout-seconds": "10",
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const request = httpsRequest(url, { agent: false, ca: bench.authority.certificate, headers, ...options });
  request.once("error", reject);
  request.once("response", (response) => {
    const serial = (response.socket as TLSSocket).getPeerCertificate().serialNumber;
    const answer = { status: response.statusCode ?? 0, headers: response.headers, serial };
    text(response).then((body) => resolve({ ...answer, text: body }), reject);
  });
  request.end();
  return promise;
}
