import { setTimeout as sleep } from "node:timers/promises";
import { driverOperators } from "@stowage/operators/cluster-storage";
import { expect } from "vitest";
import { eventually } from "../../node/kubelet/cluster.ts";
import { Chain } from "../../operators/chain/chain.ts";
import type { ReleaseFiles } from "../../operators/chain/chain-payload.ts";
import { namesOf } from "../../operators/driver-operator/applied-objects.ts";
import type { AuditedRequest } from "../../operators/driver-operator/audit.ts";
import type { OperatorCluster } from "../../operators/driver-operator/operator-cluster.ts";
import { requestText } from "../../operators/driver-operator/running-operator.ts";
import { storageFiles } from "../../operators/version-operator/payload-folder.ts";
import type { Clouds } from "./clouds.ts";
import { askForDriver, becomePlatform, grantCredentials } from "./platform-cluster.ts";
import type { Platform } from "./platform-table.ts";
import { differences, unfilledObjects, versionsOf } from "./server-objects.ts";
import { startStrictFront } from "./strict-front.ts";
import type { Turnstile } from "./turnstile.ts";
import { wantedObjects } from "./wanted-objects.ts";

/** Events are the last to be written, and go out a few at a time: whoever has said nothing for so long has said everything. */
const SETTLED_MS = 5_000;
const PATIENCE_MS = 300_000;
const VERSION = "1.0.0";

/** What came of the operators on a platform. */
export interface PlatformOutcome {
  /** From the start of the first operator on. */
  readonly secondsToAvailable: number;
  /** `AWSEBS…Degraded: why`, of what is not well although storage is. */
  readonly complaints: readonly string[];
  /** The ids of the drivers whose operators have asked for something. */
  readonly drivers: readonly string[];
  /** How many objects the operators have made, but for leases and events. */
  readonly objectCount: number;
  /** Those of them that still hold a placeholder. */
  readonly unfilled: readonly string[];
  /** Requests that were not allowed, and those that the server did not take for what was in them. */
  readonly refused: readonly string[];
  /** What was written while nothing was to be done, but for leases: by the audit log, and by what is there. */
  readonly writes: readonly string[];
  readonly changes: readonly string[];
}

export interface PlatformRunDeps {
  readonly cluster: OperatorCluster;
  readonly clouds: Clouds;
  /** What is there in an empty cluster. */
  readonly own: ReadonlySet<string>;
  /** What keeps the machine busy is done by few at a time: others would only wait longer, and too long for somebody. */
  readonly turnstile: Turnstile;
  readonly quietMs: number;
}

/** From an empty cluster by all operators to storage that is available, and a time in which nothing happens. */
export async function runPlatform(deps: PlatformRunDeps, platform: Platform): Promise<PlatformOutcome> {
  const { cluster, clouds, turnstile } = deps;
  await using front = await startStrictFront(cluster);
  const { kubeconfigPath } = front;
  const chain = new Chain({ ...cluster, kubeconfigPath }, await payloadOf(platform));
  const beganMs = Date.now();
  try {
    const secondsToAvailable = await turnstile.inside(async () => {
      await becomePlatform(cluster, platform, clouds);
      const startedMs = Date.now();
      await chain.bring(VERSION);
      await bringUp(chain, platform);
      return (Date.now() - startedMs) / 1_000;
    });
    return {
      secondsToAvailable,
      ...(await lookAtRest(deps, chain)),
      ...(await lookBack(deps, { chain, platform, beganMs })),
    };
  } finally {
    await chain.stop();
  }
}

/** What is written while nothing is to be done. */
async function lookAtRest(
  { cluster, quietMs }: PlatformRunDeps,
  chain: Chain,
): Promise<Pick<PlatformOutcome, "writes" | "changes">> {
  await eventually(async () => {
    expect(chain.writes(Date.now() - SETTLED_MS).map(requestText)).toEqual([]);
  }, PATIENCE_MS);
  const restMs = Date.now();
  const before = await versionsOf(cluster);
  await sleep(quietMs);
  const changes = differences(before, await versionsOf(cluster));
  return { writes: chain.writes(restMs).map(requestText), changes };
}

/** What has been done, by the audit log and by what is there. */
async function lookBack(
  { cluster, own }: PlatformRunDeps,
  { chain, platform, beganMs }: { chain: Chain; platform: Platform; beganMs: number },
): Promise<Omit<PlatformOutcome, "secondsToAvailable" | "writes" | "changes">> {
  const requests = chain.requests(beganMs);
  return {
    complaints: await complaintsOf(chain, platform),
    drivers: driversOf(requests),
    objectCount: requests.filter(isCreation).length,
    unfilled: await unfilledObjects(cluster, own),
    refused: requests.filter(isRefused).map((request) => `${request.code} ${requestText(request)}`),
  };
}

/** Where there is nothing of OpenShift, only what the operators cannot do without is brought: the definitions of what they keep. */
async function payloadOf({ infrastructure }: Platform): Promise<ReleaseFiles> {
  const files = await storageFiles();
  const isNeeded = (name: string) =>
    !name.includes("_definitions_") || /_(?:storages|clustercsidrivers)\.yaml$/u.test(name);
  return infrastructure === undefined
    ? Object.fromEntries(Object.entries(files).filter(([name]) => isNeeded(name)))
    : files;
}

async function bringUp(chain: Chain, platform: Platform): Promise<void> {
  const { cluster } = chain;
  const wanted = await wantedObjects(chain.release(VERSION), platform);
  const optional = driverOperators.filter(({ id, isOptional }) => isOptional && platform.drivers.includes(id));
  // Their resource is brought by the payload.
  for (const { driverName } of optional) await eventually(() => askForDriver(cluster, driverName), PATIENCE_MS);
  await eventually(async () => {
    if (platform.infrastructure !== undefined) await grantCredentials(cluster);
    expect(await chain.history(), await chain.log()).toEqual([`${VERSION} Completed`]);
    expect(await chain.storageIs(), await chain.log()).toEqual(
      expect.arrayContaining(["Available=True", "Progressing=False", "Degraded=False"]),
    );
    expect(await namesOf(cluster, wanted, "missing")).toEqual([]);
  }, PATIENCE_MS);
  expect(chain.kubelet.failures).toEqual([]);
}

async function complaintsOf(chain: Chain, { drivers }: Platform): Promise<string[]> {
  const names = driverOperators.filter(({ id }) => drivers.includes(id)).map(({ driverName }) => driverName);
  const said = await Promise.all(names.map((name) => chain.cluster.conditions(name)));
  return said.flat().filter((condition) => /(?:Degraded=True|Available=False|Progressing=True)/u.test(condition));
}

function driversOf(requests: readonly AuditedRequest[]): string[] {
  const names = new Set(requests.map(({ user }) => user.replace(/^.*:/u, "")));
  return driverOperators.filter(({ operatorName }) => names.has(operatorName)).map(({ id }) => id);
}

const passing: ReadonlySet<string> = new Set(["events", "leases"]);

function isCreation({ code, resource }: AuditedRequest): boolean {
  return code === 201 && !passing.has(resource);
}

/** Refused for who asked, or for what was asked; that somebody else was faster is nothing wrong. */
function isRefused({ isAllowed, code }: AuditedRequest): boolean {
  return !isAllowed || code === 400 || code === 422;
}
