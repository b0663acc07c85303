import { parseArgs } from "node:util";
import {
  storageOperatorName,
  storageOperatorNamespace,
} from "../../../packages/operators/src/cluster-storage/index.ts";
import { openstackCinderProfile } from "../../../packages/operators/src/csi-driver/drivers/openstack-cinder/profile.ts";
import {
  allDefinitions,
  type OperatorCluster,
  startOperatorCluster,
} from "../../conformance/operators/driver-operator/operator-cluster.ts";
import { becomeOpenStack } from "../../conformance/operators/driver-operator/platform.ts";
import { payload } from "../../conformance/operators/storage-operator/payload.ts";
import { Bars } from "../sidecars/bars.ts";
import { measureOperator, type OperatorFigures } from "./operator-run.ts";

/** What the Go originals take on two shared cores: the better end of what was measured. */
interface Original {
  readonly seconds: number;
  readonly requests: number;
  readonly idlePerMinute: number;
  readonly watches: number;
}

const storageOriginal: Original = { seconds: 1.4, requests: 114, idlePerMinute: 20, watches: 38 };
const cinderOriginal: Original = { seconds: 0.5, requests: 54, idlePerMinute: 26, watches: 25 };
const MAXIMUM_RSS_MIB = 85;

/** The operators for OpenStack on a real API server, judged by its audit log and by the kernel. */
export async function benchOperators(benchArguments: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...benchArguments],
    options: { "idle-seconds": { type: "string", default: "120" } },
  });
  const idleSeconds = Number(values["idle-seconds"]);
  const bars = new Bars();
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort(new Error("the bench was interrupted"));
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  const { signal } = interrupted;
  await using cluster = await startOperatorCluster();
  await prepare(cluster);
  const account = { name: storageOperatorName, namespace: storageOperatorNamespace };
  const storage = await measureOperator(cluster, {
    command: ["storage-operator"],
    account,
    images,
    idleSeconds,
    signal,
  });
  judge(bars, "storage operator", storage, storageOriginal);
  const { operatorName: name, namespace, id } = openstackCinderProfile;
  const command = ["driver-operator", id];
  const cinder = await measureOperator(cluster, { command, account: { name, namespace }, images, idleSeconds, signal });
  judge(bars, "Cinder operator", cinder, cinderOriginal);
  if (!bars.areMet) console.error(`missed: ${bars.missed.join("; ")}`);
  return bars.areMet;
}

/** What the payload brings but the Deployment, and what the installer of a cluster on OpenStack leaves. */
async function prepare(cluster: OperatorCluster): Promise<void> {
  await cluster.install(...allDefinitions);
  await cluster.apply(...payload().filter(({ kind }) => kind !== "Deployment"));
  await becomeOpenStack(cluster);
}

function judge(bars: Bars, who: string, figures: OperatorFigures, original: Original): void {
  bars.atMost(`${who}: seconds from start to all objects applied`, figures.seconds, original.seconds);
  bars.atMost(`${who}: requests in that time`, figures.requests, Math.floor((original.requests * 2) / 3));
  bars.atMost(`${who}: requests per minute when idle`, figures.idlePerMinute, original.idlePerMinute / 2);
  bars.atMost(`${who}: open watches`, figures.watches, original.watches / 2);
  bars.atMost(`${who}: MiB of RSS`, figures.rssMib, MAXIMUM_RSS_MIB);
}

const names = ["PROVISIONER", "ATTACHER", "RESIZER", "SNAPSHOTTER", "NODE_DRIVER_REGISTRAR", "LIVENESS_PROBE"];
const images: Readonly<Record<string, string>> = {
  OPERATOR_IMAGE_VERSION: "1.2.3",
  OPERAND_IMAGE_VERSION: "1.2.3",
  OPENSTACK_CINDER_DRIVER_OPERATOR_IMAGE: "registry.test/cinder-operator:1",
  OPENSTACK_CINDER_DRIVER_IMAGE: "registry.test/cinder:1",
  DRIVER_IMAGE: "registry.test/cinder:1",
  KUBE_RBAC_PROXY_IMAGE: "registry.test/proxy:1",
  SIDECARS_IMAGE: "registry.test/sidecars:1",
  ...Object.fromEntries(names.map((name) => [`${name}_IMAGE`, `registry.test/${name.toLowerCase()}:1`])),
};
