// needs: cli rbac-proxy
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, createTransport, type KubeClient, loadKubeconfig } from "@stowage/kube";
import {
  clusterRoleBindings,
  clusterRoles,
  namespaces,
  type PolicyRule,
  randomSuffix,
  serviceAccounts,
} from "@stowage/machinery";
import { createAuthority, issueCertificate, type KeyPair } from "@stowage/machinery/certificates";
import { dump, load } from "js-yaml";
import { Gauge, Registry } from "prom-client";
import { expect, inject, vi } from "vitest";
import { StowageProcess } from "../../node/kubelet/stowage-process.ts";

interface Kubeconfig {
  readonly clusters: { readonly cluster: { readonly "certificate-authority-data": string } }[];
  readonly users: { readonly name: string; readonly user: Readonly<Record<string, string>> }[];
}

/** Proxies in processes of their own, before a server of metrics, with the rights that a proxy needs in the cluster. */
export class RbacProxyBench implements AsyncDisposable {
  readonly client: KubeClient;
  readonly namespace = `rbac-proxy-${randomSuffix(Math.random)}`;
  readonly folder = mkdtempSync(join(tmpdir(), "stowage-rbac-proxy-"));
  readonly authority = createAuthority("serving", validity());
  readonly #transport: ReturnType<typeof createTransport>;
  readonly #cleanUp = new AsyncDisposableStack();

  static async start(): Promise<RbacProxyBench> {
    const connection = await loadKubeconfig({ path: inject("kubeconfig"), env: {}, homeDir: tmpdir() });
    const bench = new RbacProxyBench(createTransport(connection));
    await bench.client.create(namespaces, { metadata: { name: bench.namespace } });
    bench.renewCertificate();
    return bench;
  }

  private constructor(transport: ReturnType<typeof createTransport>) {
    this.#transport = transport;
    this.client = createClient({ transport });
  }

  /** A ServiceAccount that may do just this in the whole cluster. */
  async addAccount(name: string, rules: PolicyRule[]): Promise<void> {
    const metadata = { name: `${this.namespace}-${name}` };
    await this.client.create(serviceAccounts, { metadata: { name, namespace: this.namespace } });
    if (rules.length === 0) return;
    await this.client.create(clusterRoles, { metadata, rules });
    await this.client.create(clusterRoleBindings, {
      metadata,
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: metadata.name },
      subjects: [{ kind: "ServiceAccount", name, namespace: this.namespace }],
    });
    this.#cleanUp.defer(async () => {
      await this.client.delete(clusterRoleBindings, metadata);
      await this.client.delete(clusterRoles, metadata);
    });
  }

  async tokenOf(name: string, audiences?: readonly string[]): Promise<string> {
    const ref = { namespace: this.namespace, name, subresource: "token" };
    const { status } = await this.client.createSubresource<{ status: { token: string } }>(serviceAccounts, ref, {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      spec: { audiences },
    });
    return status.token;
  }

  /** Has the account's token and nothing of the administrator. */
  async kubeconfigOf(account: string): Promise<string> {
    const administrator = this.#administrator();
    const token = await this.tokenOf(account);
    const users = administrator.users.map(({ name }) => ({ name, user: { token } }));
    return this.file(`${account}.kubeconfig`, dump({ ...administrator, users }));
  }

  /** Who the API server itself knows by certificate, and the authority of it. */
  administratorPair(): { readonly caFile: string; readonly cert: string; readonly key: string } {
    const { clusters, users } = this.#administrator();
    const decoded = (text = "") => Buffer.from(text, "base64").toString();
    const user = users[0]?.user ?? {};
    return {
      caFile: this.file("client-ca.crt", decoded(clusters[0]?.cluster["certificate-authority-data"])),
      cert: decoded(user["client-certificate-data"]),
      key: decoded(user["client-key-data"]),
    };
  }

  #administrator(): Kubeconfig {
    return load(readFileSync(inject("kubeconfig"), "utf8")) as Kubeconfig;
  }

  file(name: string, content: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  }

  renewCertificate(): KeyPair {
    const subject = { commonName: "localhost", names: ["localhost", "127.0.0.1"], usages: ["server"] } as const;
    const pair = issueCertificate(this.authority, { ...subject, validity: validity() });
    this.file("tls.crt", pair.certificate);
    this.file("tls.key", pair.key);
    return pair;
  }

  /** Resolves when it listens. */
  async startProxy(flags: readonly string[]): Promise<{ readonly url: string; readonly process: StowageProcess }> {
    const process = new StowageProcess();
    process.start([
      "rbac-proxy",
      "--secure-listen-address=127.0.0.1:0",
      `--tls-cert-file=${join(this.folder, "tls.crt")}`,
      `--tls-private-key-file=${join(this.folder, "tls.key")}`,
      "--logtostderr=true",
      "--v=10",
      ...flags,
    ]);
    this.#cleanUp.defer(async () => void (await process.stop()));
    await vi.waitFor(() => expect(process.log).toContain("listening at"), { timeout: 20_000 });
    return { url: /listening at (\S+)/.exec(process.log)?.[1] ?? "", process };
  }

  async startMetrics(): Promise<MetricsServer> {
    const registry = new Registry();
    new Gauge({ name: "volumes", help: "how many there are", registers: [registry] }).set(3);
    const received: IncomingHttpHeaders[] = [];
    const server = createServer((request, response) => {
      received.push(request.headers);
      void registry.metrics().then((text) => response.setHeader("content-type", registry.contentType).end(text));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const close = () => new Promise<void>((resolve) => void server.close(() => resolve()));
    this.#cleanUp.defer(async () => void (server.listening && (await close())));
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, received, close };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cleanUp.disposeAsync();
    await this.client.delete(namespaces, { name: this.namespace });
    this.#transport.close();
    rmSync(this.folder, { recursive: true });
  }
}

export interface MetricsServer {
  readonly url: string;
  readonly received: IncomingHttpHeaders[];
  close(): Promise<void>;
}

function validity() {
  return { fromMs: Date.now() - 3_600_000, untilMs: Date.now() + 3_600_000 };
}
