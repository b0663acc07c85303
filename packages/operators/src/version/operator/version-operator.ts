import type { OperatorProgram, OperatorProgramDeps } from "../../program/index.ts";
import { defaultProfile } from "../payload/index.ts";
import { refuseForeignCluster } from "./ownership.ts";
import { versionController } from "./version-controller.ts";

export interface VersionOperatorSpec {
  /** The folder of the payload: `release-metadata` and `manifests/`. */
  readonly payload: string;
  /** The image that the payload comes from, for the history. */
  readonly releaseImage?: string;
  readonly profile?: string;
  readonly reconcilePeriodMs?: number;
  readonly payloadPollMs?: number;
}

const RECONCILE_PERIOD_MS = 300_000;
const PAYLOAD_POLL_MS = 10_000;

/** Refuses a cluster that another version operator keeps, before this one even asks for its lease: OpenShift's has the same. */
export async function createVersionOperator(
  deps: OperatorProgramDeps,
  spec: VersionOperatorSpec,
): Promise<OperatorProgram> {
  await refuseForeignCluster(deps.client);
  const { payload: directory, releaseImage: image = "", profile = defaultProfile } = spec;
  const { reconcilePeriodMs = RECONCILE_PERIOD_MS, payloadPollMs = PAYLOAD_POLL_MS } = spec;
  const place = { directory, image, profile };
  return { controllers: [versionController(deps, { place, reconcilePeriodMs, payloadPollMs })] };
}
