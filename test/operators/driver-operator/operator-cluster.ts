import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  createClient,
  createRestMapper,
  createTransport,
  type KubeClient,
  loadKubeconfig,
  type RestMapper,
} from "@stowage/kube";
import { startTemporaryLab, type TemporaryLabOptions } from "@stowage/lab";
import {
  type ClusterCSIDriver,
  type CustomResourceDefinition,
  clusterCSIDrivers,
  type KubernetesObject,
} from "@stowage/machinery";
import { platformCrds, storageOperatorCrds } from "@stowage/machinery/openshift-crds";
import { applyObject } from "@stowage/operator";
import { snapshotCrds } from "../../../packages/sidecars/src/snapshot-crds/index.ts";
import { type AuditLog, auditLog } from "./audit.ts";

/** A real API server with what OpenShift brings along, and its audit log. */
export interface OperatorCluster extends AsyncDisposable {
  readonly client: KubeClient;
  readonly mapper: RestMapper;
  readonly kubeconfigPath: string;
  readonly folder: string;
  readonly audit: AuditLog;
  apply(...objects: KubernetesObject[]): Promise<void>;
  install(...definitions: CustomResourceDefinition[]): Promise<void>;
  driver(name: string): Promise<ClusterCSIDriver>;
  /** `FooAvailable=True/Reason`, sorted. */
  conditions(driverName: string): Promise<string[]>;
  /** The message of a condition; undefined when there is no such. */
  messageOf(driverName: string, type: string): Promise<string | undefined>;
}

export async function startOperatorCluster(options: Pick<TemporaryLabOptions, "level"> = {}): Promise<OperatorCluster> {
  const folder = mkdtempSync(join(tmpdir(), "driver-operator-"));
  const audit = auditLog(folder);
  // There is no node: how the workloads are is for the tests to say.
  const controllers = "--controllers=-deployment-controller,-daemonset-controller,-replicaset-controller";
  const lab = await startTemporaryLab({
    ...options,
    extraFlags: { "kube-apiserver": [...audit.flags], "kube-controller-manager": [controllers] },
  });
  const { kubeconfigPath } = lab;
  const transport = createTransport(await loadKubeconfig({ path: kubeconfigPath, env: {}, homeDir: "/" }));
  const client = createClient({ transport });
  const mapper = createRestMapper({ client });
  const events = { normal() {}, warning() {} };
  const apply = async (...objects: KubernetesObject[]) => {
    for (const object of objects) await applyObject({ client, mapper, events }, object);
  };
  const driver = (name: string) => client.get(clusterCSIDrivers, { name });
  const conditionsOf = async (name: string) => (await driver(name)).status?.conditions ?? [];
  return {
    client,
    mapper,
    kubeconfigPath,
    folder,
    audit,
    apply,
    install: (...definitions) => install({ client, mapper, apply }, definitions),
    driver,
    async conditions(name) {
      const all = await conditionsOf(name);
      return all.map(({ type, status, reason }) => `${type}=${status}/${reason ?? ""}`).toSorted();
    },
    messageOf: async (name, type) => (await conditionsOf(name)).find((each) => each.type === type)?.message,
    async [Symbol.asyncDispose]() {
      transport.close();
      await lab.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Discovery knows a definition when it is established, and its objects can be listed a moment later. */
async function install(
  { client, mapper, apply }: Pick<OperatorCluster, "client" | "mapper" | "apply">,
  definitions: readonly CustomResourceDefinition[],
): Promise<void> {
  await apply(...definitions);
  const areServed = async () => {
    mapper.invalidate();
    for (const { spec } of definitions) {
      const type = await mapper.resourceFor({ group: spec.group, kind: spec.names.kind });
      await client.list<KubernetesObject>(type);
    }
  };
  for (let triesLeft = 600; ; triesLeft--) {
    try {
      return await areServed();
    } catch (error) {
      if (triesLeft === 0) throw error;
      await sleep(50);
    }
  }
}

/** As far as a driver's operator writes it. */
export const serviceMonitorDefinition: CustomResourceDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "servicemonitors.monitoring.coreos.com" },
  spec: {
    group: "monitoring.coreos.com",
    names: {
      kind: "ServiceMonitor",
      listKind: "ServiceMonitorList",
      plural: "servicemonitors",
      singular: "servicemonitor",
    },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

export const allDefinitions: readonly CustomResourceDefinition[] = [
  ...storageOperatorCrds,
  ...platformCrds,
  ...snapshotCrds,
  serviceMonitorDefinition,
];
