// needs: cli version-operator, cli storage-operator, cli driver-operator
import { join } from "node:path";
import {
  type CustomResourceDefinition,
  clusterOperators,
  clusterVersions,
  daemonSets,
  deployments,
  type KubernetesObject,
  type OperatorCondition,
  type ResourceType,
} from "@stowage/machinery";
import { platformCrds } from "@stowage/machinery/openshift-crds";
import { defaultProfile, readPayload, versionOperatorRules } from "@stowage/operators/version";
import { snapshotCrds } from "../../../packages/sidecars/src/snapshot-crds/index.ts";
import { StowageProcess } from "../../sidecars/sidecar-chaos/stowage-process.ts";
import type { AuditedRequest } from "../driver-operator/audit.ts";
import { createAccount } from "../driver-operator/operator-account.ts";
import {
  type OperatorCluster,
  serviceMonitorDefinition,
  startOperatorCluster,
} from "../driver-operator/operator-cluster.ts";
import { storageFiles, writePayload } from "../version-operator/payload-folder.ts";
import { type ReleaseFiles, releaseFiles } from "./chain-payload.ts";
import { platforms } from "./chain-platforms.ts";
import { StandInKubelet } from "./stand-in-kubelet.ts";

const versionNamespace = "openshift-cluster-version";
const versionAccount = "version-operator";

/** Of Prometheus' operator, as far as anything of them is written here. */
export const monitoringDefinitions = [serviceMonitorDefinition, likeServiceMonitor("PrometheusRule")];

type Conditioned = { readonly status?: { readonly conditions?: readonly OperatorCondition[] } } | undefined;

/** A cluster that is given nothing but the version operator and a payload: every other operator is started by the one before it. */
export class Chain implements AsyncDisposable {
  readonly cluster: OperatorCluster;
  readonly kubelet: StandInKubelet;
  readonly #files: ReleaseFiles;
  readonly #payload: string;
  #versionOperator: StowageProcess | undefined;

  static async start(platform: keyof typeof platforms): Promise<Chain> {
    const cluster = await startOperatorCluster();
    await cluster.install(...platformCrds, ...snapshotCrds, ...monitoringDefinitions);
    await platforms[platform](cluster);
    return new Chain(cluster, await storageFiles());
  }

  /** On a cluster that somebody has made, with the payload's files. */
  constructor(cluster: OperatorCluster, files: ReleaseFiles) {
    this.cluster = cluster;
    this.#files = files;
    this.kubelet = new StandInKubelet(cluster);
    this.#payload = join(cluster.folder, "payload");
  }

  release(version: string): ReleaseFiles {
    return releaseFiles(this.#files, version);
  }

  /** Puts a release where the version operator finds it, and starts that with the first. */
  async bring(version: string): Promise<void> {
    await writePayload(this.#payload, version, this.release(version));
    this.#versionOperator ??= await this.#startVersionOperator();
  }

  /** With the role that is worked out of the payload; all releases have the same objects. */
  async #startVersionOperator(): Promise<StowageProcess> {
    const payload = await readPayload({ directory: this.#payload, image: "", profile: defaultProfile });
    const { cluster, namespaced } = versionOperatorRules(payload);
    const account = { operatorName: versionAccount, namespace: versionNamespace };
    const rules = { cluster: [...cluster], namespaced: { [versionNamespace]: [...namespaced] } };
    const kubeconfig = await createAccount(this.cluster, account, rules);
    const flags = [`--kubeconfig=${kubeconfig}`, `--payload=${this.#payload}`, "--payload-poll=200ms"];
    return new StowageProcess(["version-operator", ...flags]);
  }

  /** `1.0.0 Completed`, the latest first. */
  async history(): Promise<string[]> {
    const version = await this.cluster.client.find(clusterVersions, { name: "version" });
    return (version?.status?.history ?? []).map((entry) => `${entry.version} ${entry.state}`);
  }

  /** `Available=True`, of ClusterOperator/storage. */
  async storageIs(): Promise<string[]> {
    const { status } = (await this.cluster.client.find(clusterOperators, { name: "storage" })) ?? {};
    return (status?.conditions ?? []).map((condition) => `${condition.type}=${condition.status}`);
  }

  /** What is wrong by the word of a resource: the messages of its conditions that are True and end so. */
  async complaints(type: ResourceType, name: string, suffix = "Degraded"): Promise<string> {
    const found = (await this.cluster.client.find<KubernetesObject>(type, { name })) as Conditioned;
    return (found?.status?.conditions ?? [])
      .filter((condition) => condition.type.endsWith(suffix) && condition.status === "True")
      .map(({ message = "" }) => message)
      .join("\n");
  }

  /** Tags of all images of the workloads in a namespace, each once: `1.0.0`. */
  async imageTags(namespace: string): Promise<string[]> {
    const { client } = this.cluster;
    const workloads = [
      ...(await client.list(deployments, { namespace })).items,
      ...(await client.list(daemonSets, { namespace })).items,
    ];
    const images = workloads.flatMap(({ spec }) =>
      (spec?.template.spec?.containers ?? []).map(({ image = "" }) => image),
    );
    return [...new Set(images.map((image) => image.replace(/^.*:/u, "")))].toSorted();
  }

  /** Everything that the operators have asked for, from a time on. */
  requests(sinceMs = 0): AuditedRequest[] {
    const { audit } = this.cluster;
    return audit.requests(({ user, atMs }) => isOperator(user) && atMs >= sinceMs);
  }

  writes(sinceMs = 0): AuditedRequest[] {
    return this.requests(sinceMs).filter(
      ({ verb, resource }) => !["get", "list", "watch"].includes(verb) && resource !== "leases",
    );
  }

  /** For a test that has failed. */
  async log(): Promise<string> {
    const { status } = (await this.cluster.client.find(clusterVersions, { name: "version" })) ?? {};
    const conditions = (status?.conditions ?? []).map((each) => `${each.type}=${each.status}: ${each.message ?? ""}`);
    const failures = this.kubelet.failures.map(String);
    return [this.#versionOperator?.said.slice(-2_000), ...failures, ...conditions].join("\n");
  }

  /** Ends the operators, and leaves the cluster as it is. */
  async stop(): Promise<void> {
    await this.#versionOperator?.stop("SIGTERM");
    await this.kubelet[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.cluster[Symbol.asyncDispose]();
  }
}

function likeServiceMonitor(kind: string): CustomResourceDefinition {
  const { spec, ...rest } = serviceMonitorDefinition;
  const singular = kind.toLowerCase();
  const plural = `${singular}s`;
  const names = { kind, listKind: `${kind}List`, plural, singular };
  return { ...rest, metadata: { name: `${plural}.${spec.group}` }, spec: { ...spec, names } };
}

/** Not an account of Kubernetes' own controllers. */
function isOperator(user: string): boolean {
  return /^system:serviceaccount:openshift-.*-operator$/u.test(user);
}
