// needs: cli driver, cli sidecar, cli sidecars, cli node-sidecar
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, createRestMapper, createTransport, type KubeClient, loadKubeconfig } from "@stowage/kube";
import { type Lab, startTemporaryLab } from "@stowage/lab";
import { type Container, type DaemonSet, daemonSets, namespaces, nodes, pods } from "@stowage/machinery";
import { applyObject } from "@stowage/operator";
import { loadDriverProfile, renderDriver } from "@stowage/operators/csi-driver";
import { StowageProcess } from "../../sidecars/sidecar-chaos/stowage-process.ts";
import { ensureSnapshotCrds } from "../../sidecars/snapshot-crds.ts";
import { writeKubeconfig } from "../driver-operator/operator-account.ts";

export const driverName = "local.csi.stowage.dev";
export const topologyKey = `topology.${driverName}/node`;

/** Of Pods that no kubelet runs: containers are started here, as processes, with the arguments and rights that they would have. */
export interface LocalNodes extends AsyncDisposable {
  readonly client: KubeClient;
  readonly kubeconfigPath: string;
  readonly namespace: string;
  /** What the sidecars of all nodes have said. */
  said(): string;
  /** Where a node has its volumes. */
  stateDir(node: string): string;
}

export async function startLocalNodes(names: readonly string[]): Promise<LocalNodes> {
  const folder = mkdtempSync(join(tmpdir(), "local-nodes-"));
  // Its Pods are made here, one for each node.
  const lab = await startTemporaryLab({
    extraFlags: { "kube-controller-manager": ["--controllers=*,-daemonset-controller"] },
  });
  const transport = createTransport(await loadKubeconfig({ path: lab.kubeconfigPath, env: {}, homeDir: "/" }));
  const client = createClient({ transport });
  await ensureSnapshotCrds(client);
  const { namespace, daemonSet } = await applyDriver(client);
  const account = { name: daemonSet.spec?.template.spec?.serviceAccountName ?? "", namespace };
  const kubeconfig = await writeKubeconfig({ client, kubeconfigPath: lab.kubeconfigPath, folder }, account);
  const processes: StowageProcess[] = [];
  for (const name of names) {
    const place = { name, folder: join(folder, name), kubeconfig, namespace };
    const podName = await createNode(client, place, daemonSet);
    processes.push(...startContainers(daemonSet, place, podName));
  }
  return {
    client,
    kubeconfigPath: lab.kubeconfigPath,
    namespace,
    said: () => processes.map(({ said }) => said).join(""),
    stateDir: (node) => join(folder, node, "state"),
    [Symbol.asyncDispose]: () => stop({ lab, processes, folder, close: () => transport.close() }),
  };
}

async function stop(parts: { lab: Lab; processes: readonly StowageProcess[]; folder: string; close(): void }) {
  await Promise.all(parts.processes.map((each) => each.stop("SIGTERM")));
  parts.close();
  await parts.lab.stop();
  rmSync(parts.folder, { recursive: true, force: true });
}

/** All that the operator would apply, by the administrator. */
async function applyDriver(client: KubeClient): Promise<{ namespace: string; daemonSet: DaemonSet }> {
  const profile = await loadDriverProfile("local");
  const cluster = { topology: "HighlyAvailable", clusterId: "x7", logLevel: "Normal", tlsProfile: "Modern" } as const;
  const objects = await renderDriver(profile, { cluster, env: {} });
  const { namespace } = profile;
  await client.create(namespaces, { metadata: { name: namespace } });
  const mapper = createRestMapper({ client });
  const events = { normal() {}, warning() {} };
  for (const object of objects) await applyObject({ client, mapper, events }, object, { optional: true });
  const name = objects.find(({ kind }) => kind === "DaemonSet")?.metadata.name ?? "";
  return { namespace, daemonSet: await client.get(daemonSets, { namespace, name }) };
}

interface NodePlace {
  readonly name: string;
  readonly folder: string;
  readonly kubeconfig: string;
  readonly namespace: string;
}

/** The node as kubelet would have labelled it, and the Pod that would be there. */
async function createNode(client: KubeClient, { name, namespace }: NodePlace, daemonSet: DaemonSet): Promise<string> {
  const { uid = "", name: owner = "" } = daemonSet.metadata;
  await client.create(nodes, { metadata: { name, labels: { [topologyKey]: name } } });
  const ownerReferences = [{ apiVersion: "apps/v1", kind: "DaemonSet", name: owner, uid, controller: true }];
  const metadata = { namespace, name: `${owner}-${name}`, ownerReferences };
  const containers = [{ name: "main", image: "none" }];
  await client.create(pods, { metadata, spec: { nodeName: name, containers, automountServiceAccountToken: false } });
  return metadata.name;
}

/** Paths of the host are folders of the test, and ports are whatever is free; all else is as it is in the Pod. */
function startContainers(daemonSet: DaemonSet, place: NodePlace, podName: string): StowageProcess[] {
  const [csi, registration, state] = ["csi", "registration", "state"].map((each) => join(place.folder, each));
  for (const path of [csi, registration, state]) mkdirSync(path ?? "", { recursive: true });
  const argumentOf = (argument: string) =>
    argument
      .replace("/csi/csi.sock", `${csi}/csi.sock`)
      .replace("=/registration", `=${registration}`)
      .replace("=/var/lib/stowage/local", `=${state}`)
      .replace("$(NODE_NAME)", place.name)
      .replace(/^--http-endpoint=.*$/u, "--http-endpoint=127.0.0.1:0");
  const env = { NODE_NAME: place.name, POD_NAME: podName, POD_NAMESPACE: place.namespace };
  const start = ({ command = [], args = [] }: Container, ...more: string[]) =>
    new StowageProcess([...command.slice(1), ...args.map(argumentOf), ...more], env);
  const containers = daemonSet.spec?.template.spec?.containers ?? [];
  const named = (name: string) => containers.find((each) => each.name === name) ?? { name };
  return [
    start(named("csi-driver"), "--contents=directory"),
    start(named("csi-sidecars"), `--kubeconfig=${place.kubeconfig}`),
  ];
}
