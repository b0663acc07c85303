// needs: cli version-operator
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, createTransport, type KubeClient, loadKubeconfig } from "@stowage/kube";
import { type Lab, startTemporaryLab } from "@stowage/lab";
import {
  type ClusterVersion,
  clusterOperators,
  clusterRoleBindings,
  clusterRoles,
  clusterVersions,
  configMaps,
  deployments,
  namespaces,
  type ResourceType,
  roleBindings,
  roles,
  serviceAccounts,
} from "@stowage/machinery";
import { defaultProfile, readPayload, versionOperatorRules } from "@stowage/operators/version";
import { expect, vi } from "vitest";
import { AuditLog } from "../../perf/sidecars/audit-log.ts";
import { StowageProcess } from "../../sidecars/sidecar-chaos/stowage-process.ts";
import { componentFiles, type LooseObject, type PayloadFiles, writePayload } from "./payload-folder.ts";

export const NAMESPACE = "openshift-cluster-version";
/** On a machine that has much else to do, a process takes its time to start. */
export const soon = { timeout: 120_000, interval: 50 };

/** As `condition("Progressing")` says it. */
export function isAt(version: string): string {
  return `Progressing=False Cluster version is ${version}`;
}

const ACCOUNT = "version-operator";
const USER = `system:serviceaccount:${NAMESPACE}:${ACCOUNT}`;
const apiGroup = "rbac.authorization.k8s.io";

interface Installation {
  readonly files?: PayloadFiles;
  readonly flags?: readonly string[];
}

/** A cluster of the test's own, where the version operator may do what its role allows and no more. */
export class VersionBench implements AsyncDisposable {
  readonly lab: Lab;
  readonly client: KubeClient;
  readonly audit: AuditLog;
  readonly #folder: string;
  readonly #close: () => void;
  readonly #processes: StowageProcess[] = [];
  #payload = 0;

  static async start(): Promise<VersionBench> {
    const folder = mkdtempSync(join(tmpdir(), "version-bench-"));
    const audit = new AuditLog(folder);
    await audit.writePolicy(USER);
    const lab = await startTemporaryLab({ extraFlags: { "kube-apiserver": audit.flags } });
    const admin = await loadKubeconfig({ path: lab.kubeconfigPath, env: {}, homeDir: "/" });
    const transport = createTransport(admin);
    const client = createClient({ transport });
    await client.create(namespaces, { metadata: { name: NAMESPACE } });
    await client.create(serviceAccounts, { metadata: { name: ACCOUNT, namespace: NAMESPACE } });
    const bench = new VersionBench({ lab, client, audit, folder, close: () => transport.close() });
    const authority = admin.tls.certificateAuthority;
    if (authority?.kind !== "inline") throw new TypeError("the lab's kubeconfig has its authority inside");
    await bench.#writeKubeconfig(admin.server, authority.pem);
    return bench;
  }

  private constructor(parts: { lab: Lab; client: KubeClient; audit: AuditLog; folder: string; close: () => void }) {
    this.lab = parts.lab;
    this.client = parts.client;
    this.audit = parts.audit;
    this.#folder = parts.folder;
    this.#close = parts.close;
  }

  /** A folder for a payload. */
  async newFolder(): Promise<string> {
    const directory = join(this.#folder, `payload-${++this.#payload}`);
    await mkdir(directory);
    return directory;
  }

  /** Brings a payload, with the rights that it needs, as whoever deploys it would. */
  async bring(directory: string, version: string, files: PayloadFiles): Promise<void> {
    const staging = await this.newFolder();
    await writePayload(staging, version, files);
    await this.#grant(staging);
    await writePayload(directory, version, files);
  }

  run(directory: string, ...flags: string[]): StowageProcess {
    const started = new StowageProcess([
      "version-operator",
      `--kubeconfig=${this.#kubeconfigPath}`,
      `--payload=${directory}`,
      "--payload-poll=200ms",
      ...flags,
    ]);
    this.#processes.push(started);
    return started;
  }

  /** A component at its first version, kept by a running operator. */
  async installed(name: string, { files = componentFiles(name, "1.0.0"), flags = [] }: Installation = {}) {
    const folder = await this.newFolder();
    await this.bring(folder, "1.0.0", files);
    const operator = this.run(folder, ...flags);
    await vi.waitFor(() => this.report(name, "1.0.0"), soon);
    await expect.poll(() => this.condition("Progressing"), soon).toBe(isAt("1.0.0"));
    return { folder, operator };
  }

  async configOf(namespace: string, name: string): Promise<Record<string, string> | undefined> {
    return (await this.client.find(configMaps, { namespace, name }))?.data;
  }

  /** Of the component's Deployment. */
  async imageOf(name: string): Promise<string | undefined> {
    const deployment = await this.client.find(deployments, { namespace: name, name });
    return deployment?.spec?.template.spec?.containers[0]?.image;
  }

  async version(): Promise<ClusterVersion | undefined> {
    return this.client.find(clusterVersions, { name: "version" });
  }

  /** `Progressing=True Working towards …` */
  async condition(type: string): Promise<string> {
    const { conditions = [] } = (await this.version())?.status ?? {};
    const found = conditions.find((condition) => condition.type === type);
    if (found === undefined) return `no ${type}`;
    return [`${type}=${found.status}`, found.reason, found.message].filter(Boolean).join(" ");
  }

  /** `1.0.0 Completed`, the latest first. */
  async history(): Promise<string[]> {
    return ((await this.version())?.status?.history ?? []).map(({ version, state }) => `${version} ${state}`);
  }

  /** What an operator says of itself. */
  async report(
    name: string,
    version: string,
    conditions: Readonly<Record<string, "True" | "False">> = {},
  ): Promise<void> {
    const lastTransitionTime = "2026-01-01T00:00:00Z";
    const stated = Object.entries({ Available: "True", Progressing: "False", Degraded: "False", ...conditions });
    const patch = {
      status: {
        versions: [{ name: "operator", version }],
        conditions: stated.map(([type, status]) => ({
          type,
          status,
          reason: "Reported",
          message: `${type} by the test`,
          lastTransitionTime,
        })),
      },
    };
    await this.client.patch(clusterOperators, { name }, { type: "merge", patch }, { subresource: "status" });
  }

  /** As before anything was installed, but for what components left. */
  async forget(): Promise<void> {
    // In order, so that the next need not wait for the lease to run out.
    for (const process of this.#processes.splice(0)) await process.stop("SIGTERM");
    const version = await this.version();
    if (version !== undefined) await this.client.delete(clusterVersions, { name: "version" });
    if (version !== undefined) await this.client.deleteCollection(clusterOperators, {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.forget();
    this.#close();
    await this.lab.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #kubeconfigPath(): string {
    return join(this.#folder, "kubeconfig");
  }

  async #grant(directory: string): Promise<void> {
    const rules = await readPayload({ directory, image: "", profile: defaultProfile }).then(
      versionOperatorRules,
      // What cannot be read is not applied: the rights stay as they are.
      () => undefined,
    );
    if (rules === undefined) return;
    const subjects = [{ kind: "ServiceAccount", name: ACCOUNT, namespace: NAMESPACE }];
    const roleRef = (kind: string) => ({ apiGroup, kind, name: ACCOUNT });
    const place = { name: ACCOUNT, namespace: NAMESPACE };
    const apiVersion = `${apiGroup}/v1`;
    const role = { apiVersion, kind: "ClusterRole", metadata: { name: ACCOUNT }, rules: [...rules.cluster] };
    await this.#put(clusterRoles, role);
    await this.#put(clusterRoleBindings, {
      apiVersion,
      kind: "ClusterRoleBinding",
      metadata: { name: ACCOUNT },
      subjects,
      roleRef: roleRef("ClusterRole"),
    });
    await this.#put(roles, { apiVersion, kind: "Role", metadata: place, rules: [...rules.namespaced] });
    await this.#put(roleBindings, {
      apiVersion,
      kind: "RoleBinding",
      metadata: place,
      subjects,
      roleRef: roleRef("Role"),
    });
  }

  async #put(type: ResourceType, object: LooseObject & { metadata: { name: string } }): Promise<void> {
    await this.client.apply(type, object, { fieldManager: "bench", force: true });
  }

  async #writeKubeconfig(server: string, authority: string): Promise<void> {
    const ref = { namespace: NAMESPACE, name: ACCOUNT, subresource: "token" };
    const { status } = await this.client.createSubresource<{ status: { token: string } }>(serviceAccounts, ref, {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      spec: { expirationSeconds: 3600 },
    });
    const cluster = { server, "certificate-authority-data": Buffer.from(authority).toString("base64") };
    const config = {
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: "lab", cluster }],
      users: [{ name: ACCOUNT, user: { token: status.token } }],
      contexts: [{ name: "lab", context: { cluster: "lab", user: ACCOUNT, namespace: NAMESPACE } }],
      "current-context": "lab",
    };
    await writeFile(this.#kubeconfigPath, JSON.stringify(config), { mode: 0o600 });
  }
}
