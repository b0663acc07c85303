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

/** What the Go originals take on two shared cores; some of it differs from run to run, as ours does. */
interface Original {
  readonly seconds: Range;
  readonly requests: Range;
  readonly idlePerMinute: number;
  readonly watches: number;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

const storageOriginal: Original = {
  seconds: { from: 1.4, to: 1.8 },
  requests: { from: 114, to: 133 },
  idlePerMinute: 20,
  watches: 38,
};
const cinderOriginal: Original = {
  seconds: { from: 0.5, to: 1.1 },
  requests: { from: 54, to: 87 },
  idlePerMinute: 26,
  watches: 25,
};
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
  bars.atMost(`${who}: seconds from start to all objects applied`, figures.seconds, original.seconds.to);
  bars.atMost(`${who}: requests in that time`, figures.requests, (original.requests.to * 2) / 3);
  const share = ({ from, to }: Range, value: number) => `${(value / to).toFixed(2)} to ${(value / from).toFixed(2)}`;
  console.log(`${who}: ${share(original.seconds, figures.seconds)} of the original's time`);
  console.log(`${who}: ${share(original.requests, figures.requests)} of the original's requests`);
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
