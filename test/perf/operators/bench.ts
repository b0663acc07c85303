import { parseArgs } from "node:util";
import {
  storageOperatorName,
  storageOperatorNamespace,
} from "../../../packages/operators/src/cluster-storage/index.ts";
import { localProfile } from "../../../packages/operators/src/csi-driver/drivers/local/profile.ts";
import { openstackCinderProfile } from "../../../packages/operators/src/csi-driver/drivers/openstack-cinder/profile.ts";
import { driverOperatorRules, readDriverAssets } from "../../../packages/operators/src/csi-driver/index.ts";
import { platforms as chainPlatforms } from "../../operators/chain/chain-platforms.ts";
import { createAccount } from "../../operators/driver-operator/operator-account.ts";
import {
  allDefinitions,
  type OperatorCluster,
  startOperatorCluster,
} from "../../operators/driver-operator/operator-cluster.ts";
import { becomeAvailableOnNodes, becomeOpenStack, createDriver } from "../../operators/driver-operator/platform.ts";
import { payload } from "../../operators/storage-operator/payload.ts";
import { Bars } from "../sidecars/bars.ts";
import { measureOperator, type OperatorFigures, type OperatorRunOptions } from "./operator-run.ts";

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

/** The operators on a real API server, judged by its audit log and by the kernel. */
export async function benchOperators(benchArguments: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...benchArguments],
    options: {
      "idle-seconds": { type: "string", default: "120" },
      platform: { type: "string", multiple: true, default: Object.keys(platforms) },
    },
  });
  const bars = new Bars();
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort(new Error("the bench was interrupted"));
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  const run = { images, idleSeconds: Number(values["idle-seconds"]), signal: interrupted.signal };
  for (const platform of values.platform) {
    const bench = platforms[platform];
    if (bench === undefined) throw new Error(`--platform is one of ${Object.keys(platforms).join(", ")}`);
    await bench(bars, run);
  }
  if (!bars.areMet) console.error(`missed: ${bars.missed.join("; ")}`);
  return bars.areMet;
}

type CommonRun = Pick<OperatorRunOptions, "images" | "idleSeconds" | "signal">;

const platforms: Readonly<Record<string, (bars: Bars, run: CommonRun) => Promise<void>>> = {
  openstack: benchOpenStack,
  local: benchLocal,
};

async function benchOpenStack(bars: Bars, run: CommonRun): Promise<void> {
  await using cluster = await startOperatorCluster();
  await prepare(cluster);
  const account = { name: storageOperatorName, namespace: storageOperatorNamespace };
  const storage = await measureOperator(cluster, { ...run, command: ["storage-operator"], account });
  judge(bars, "storage operator", storage, storageOriginal);
  const { operatorName: name, namespace, id } = openstackCinderProfile;
  const command = ["driver-operator", id];
  const cinder = await measureOperator(cluster, { ...run, command, account: { name, namespace } });
  judge(bars, "Cinder operator", cinder, cinderOriginal);
}

/** There is no original to compare it with. Its DaemonSet runs, so that everything has come to rest. */
async function benchLocal(bars: Bars, run: CommonRun): Promise<void> {
  await using cluster = await startOperatorCluster();
  await cluster.install(...allDefinitions);
  await chainPlatforms.local(cluster);
  const { operatorName: name, namespace, id, driverName, assetPrefix } = localProfile;
  await createAccount(cluster, localProfile, driverOperatorRules(localProfile, readDriverAssets(localProfile)));
  await createDriver(cluster, driverName);
  const local = await measureOperator(cluster, {
    ...run,
    command: ["driver-operator", id],
    account: { name, namespace },
    whenApplied: () => becomeAvailableOnNodes(cluster, `${assetPrefix}-node`),
  });
  judgeAtRest(bars, "local driver's operator", local);
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
  judgeAtRest(bars, who, figures);
}

function judgeAtRest(bars: Bars, who: string, { idleWrites, rssMib }: OperatorFigures): void {
  bars.atMost(`${who}: writes but leases when idle`, idleWrites, 0);
  bars.atMost(`${who}: MiB of RSS`, rssMib, MAXIMUM_RSS_MIB);
}

const names = ["PROVISIONER", "ATTACHER", "RESIZER", "SNAPSHOTTER", "NODE_DRIVER_REGISTRAR", "LIVENESS_PROBE"];
const images: Readonly<Record<string, string>> = {
  OPERATOR_IMAGE_VERSION: "1.2.3",
  OPERAND_IMAGE_VERSION: "1.2.3",
  OPENSTACK_CINDER_DRIVER_OPERATOR_IMAGE: "registry.test/cinder-operator:1",
  OPENSTACK_CINDER_DRIVER_IMAGE: "registry.test/cinder:1",
  MANILA_DRIVER_OPERATOR_IMAGE: "registry.test/manila-operator:1",
  MANILA_DRIVER_IMAGE: "registry.test/manila:1",
  MANILA_NFS_DRIVER_IMAGE: "registry.test/nfs:1",
  DRIVER_IMAGE: "registry.test/cinder:1",
  KUBE_RBAC_PROXY_IMAGE: "registry.test/proxy:1",
  SIDECARS_IMAGE: "registry.test/sidecars:1",
  VOLUME_DATA_SOURCE_VALIDATOR_IMAGE: "registry.test/validator:1",
  ...Object.fromEntries(names.map((name) => [`${name}_IMAGE`, `registry.test/${name.toLowerCase()}:1`])),
};
