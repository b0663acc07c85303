import { X509Certificate } from "node:crypto";
import { connect, createServer } from "node:tls";
import { configMaps, type Secret, secrets } from "@stowage/machinery";
import { servingCertificatesController } from "@stowage/operator";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type OperatorBench, startOperatorBench } from "./operator-bench.ts";

let bench: OperatorBench;

beforeEach(async () => {
  bench = await startOperatorBench();
});

afterEach(() => bench?.[Symbol.asyncDispose]());

function controller(name = "ServingCertificates") {
  const { namespace } = bench.kit;
  return servingCertificatesController(bench.deps, {
    name,
    namespace,
    authoritySecret: "authority",
    bundleConfigMap: "bundle",
    requests: [{ namespace, service: "metrics", secret: "metrics-cert" }],
  });
}

const find = (name: string) => bench.kit.client.find(secrets, { namespace: bench.kit.namespace, name });
const pem = (secret: Secret | undefined, key: string) => Buffer.from(secret?.data?.[key] ?? "", "base64").toString();

it("a certificate is issued that clients with the bundle accept, once, and anew when somebody deletes it", async () => {
  const { namespace, client } = bench.kit;
  bench.start(controller());
  await expect.poll(bench.conditions).toEqual(["ServingCertificatesDegraded=False/AsExpected"]);
  const secret = await find("metrics-cert");
  expect(secret?.type).toBe("kubernetes.io/tls");
  const bundle = await client.get(configMaps, { namespace, name: "bundle" });
  const ca = bundle.data?.["service-ca.crt"] ?? "";
  const pair = { cert: pem(secret, "tls.crt"), key: pem(secret, "tls.key") };
  expect(await isAccepted(pair, ca, `metrics.${namespace}.svc`)).toBe(true);
  const writes = bench.kit.requests.filter((request) => /^(create|update) (secrets|configmaps)/.test(request));
  expect(writes).toEqual(["create secrets", "create configmaps", "create secrets"]);

  await client.delete(secrets, { namespace, name: "metrics-cert" });
  await expect.poll(() => find("metrics-cert")).toBeDefined();
  const renewed = new X509Certificate(pem(await find("metrics-cert"), "tls.crt"));
  expect(renewed.verify(new X509Certificate(ca).publicKey)).toBe(true);
  expect(bench.kit.eventLines.join("\n")).not.toContain("PRIVATE KEY");
});

it("a process that begins anew keeps what is there", async () => {
  bench.start(controller());
  await expect.poll(() => find("metrics-cert")).toBeDefined();
  const before = await Promise.all(["authority", "metrics-cert"].map(find));
  await expect.poll(bench.conditions).toHaveLength(1);
  bench.start(controller("Second"));
  await expect.poll(bench.conditions).toContain("SecondDegraded=False/AsExpected");
  const after = await Promise.all(["authority", "metrics-cert"].map(find));
  expect(after.map((each) => each?.metadata.resourceVersion)).toEqual(
    before.map((each) => each?.metadata.resourceVersion),
  );
});

async function isAccepted(pair: { cert: string; key: string }, ca: string, servername: string): Promise<boolean> {
  const server = createServer(pair);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ port, host: "127.0.0.1", ca, servername }, () => resolve(socket.authorized));
  socket.on("error", () => resolve(false));
  const verdict = await promise;
  socket.destroy();
  await new Promise((done) => server.close(done));
  return verdict;
}
