import { type Clock, StowageError } from "@stowage/machinery";
import { AskingSchedule } from "../vcenter/asking-schedule.ts";
import type { ConnectVCenter } from "../vcenter/vcenter.ts";
import type { VCenterPlace } from "./cloud-config.ts";
import type { VCenterLogin } from "./config-text.ts";

/** A datastore does not move; a login that was refused may be right in a while. */
const LONGEST_WAIT_MS = 60 * 60_000;

export type MigrationDatastore = (
  vcenters: readonly (VCenterPlace & VCenterLogin)[],
  signal: AbortSignal,
) => Promise<string | undefined>;

/**
 * Where volumes of the driver that was part of Kubernetes are looked for, as vCenter knows it. Undefined with several vCenters, since
 * such volumes are of one; and where nobody has said which datastore it is.
 */
export function migrationDatastore(clock: Clock, connect: ConnectVCenter): MigrationDatastore {
  const asked = new AskingSchedule<string | StowageError>(clock, LONGEST_WAIT_MS);
  return async (vcenters, signal) => {
    const [only, ...others] = vcenters;
    const [path] = only?.datastores ?? [];
    if (only === undefined || path === undefined || others.length > 0) return undefined;
    const { answer } = await asked.latest({
      key: JSON.stringify(only),
      ask: () => urlOf({ access: only, path, connect }, signal),
      isGood: (each) => typeof each === "string",
    });
    if (typeof answer === "string") return answer;
    throw answer;
  };
}

interface Question {
  readonly access: VCenterPlace & VCenterLogin;
  readonly path: string;
  readonly connect: ConnectVCenter;
}

async function urlOf({ access, path, connect }: Question, signal: AbortSignal): Promise<string | StowageError> {
  try {
    const vcenter = await connect(access, signal);
    try {
      const datastore = await vcenter.datastore(path, signal);
      const what = `vCenter ${access.server} has no datastore ${path}, or does not show it`;
      return datastore?.url ?? new StowageError("CLOUD_CONFIG_INVALID", what);
    } finally {
      // A session that stays ends by itself.
      await vcenter.logout(signal).catch(() => {});
    }
  } catch (error) {
    if (error instanceof StowageError) return error;
    throw error;
  }
}
