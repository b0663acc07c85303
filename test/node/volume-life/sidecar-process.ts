// needs: cli sidecars, cli sidecar
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { serviceAccounts } from "@stowage/machinery";
import { dump, load } from "js-yaml";
import { expect } from "vitest";
import {
  type PartName,
  type Permission,
  permissionsOf,
  type RoleName,
  type RoleParts,
  roleTable,
  serviceAccountName,
} from "../../../packages/sidecars/src/rbac/index.ts";
import { type Cluster, eventually } from "../kubelet/cluster.ts";
import { StowageProcess } from "../kubelet/stowage-process.ts";

const run = promisify(execFile);
const roleFolder = fileURLToPath(new URL("../../../packages/sidecars/rbac/", import.meta.url));
/** As in the files. */
const NAMESPACE = "kube-system";

export interface SidecarSettings {
  /** Whose rights it has, and no others. */
  readonly role: RoleName;
  readonly parts: readonly PartName[];
  /** `sidecars --csi-address …` */
  readonly words: readonly string[];
  /** Where its kubeconfig is kept; the test's own. */
  readonly folder: string;
}

/** Sidecars as a Deployment runs them: with a ServiceAccount that has the rights of the files that are shipped. */
export class SidecarProcess {
  readonly #cluster: Cluster;
  readonly #settings: SidecarSettings;
  readonly #process = new StowageProcess();

  constructor(cluster: Cluster, settings: SidecarSettings) {
    this.#cluster = cluster;
    this.#settings = settings;
  }

  /** Resolves when the sidecars lead. */
  async start(): Promise<void> {
    await this.#applyRole();
    const kubeconfig = await this.#writeKubeconfig();
    const common = ["--kubeconfig", kubeconfig, "--leader-election", "--v", "4"];
    this.#process.start([...this.#settings.words, ...common], { POD_NAMESPACE: NAMESPACE });
    await eventually(async () => expect(this.log).toContain(`"msg":"leading"`));
  }

  stop(): Promise<number | null> {
    return this.#process.stop();
  }

  get log(): string {
    return this.#process.log;
  }

  get account(): string {
    return serviceAccountName(this.#settings.role);
  }

  /** What the ServiceAccount may do. */
  get permissions(): Permission[] {
    const { role, parts } = this.#settings;
    const table: RoleParts = roleTable[role];
    const rules = parts.flatMap((part) => table[part] ?? []);
    return permissionsOf(rules.flatMap(({ cluster, namespaced }) => [...cluster, ...namespaced]));
  }

  async #applyRole(): Promise<void> {
    const { role, parts } = this.#settings;
    const files = parts.flatMap((part) => ["--filename", join(roleFolder, role, `${part}.yaml`)]);
    const { kubeconfigPath, kubectlPath } = this.#cluster;
    await run(kubectlPath, ["--kubeconfig", kubeconfigPath, "apply", ...files]);
  }

  async #writeKubeconfig(): Promise<string> {
    const { client, kubeconfigPath } = this.#cluster;
    const ref = { namespace: NAMESPACE, name: this.account, subresource: "token" };
    const { status } = await client.createSubresource<{ status: { token: string } }>(serviceAccounts, ref, {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      spec: {},
    });
    const administrator = load(readFileSync(kubeconfigPath, "utf8")) as { users: { name: string }[] };
    const users = administrator.users.map(({ name }) => ({ name, user: { token: status.token } }));
    const path = join(this.#settings.folder, `${this.account}.kubeconfig`);
    writeFileSync(path, dump({ ...administrator, users }), { mode: 0o600 });
    return path;
  }
}
