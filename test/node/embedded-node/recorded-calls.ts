import { isDeepStrictEqual } from "node:util";
import type { CallRecord } from "@stowage/drivers";
import type { CSINodeDriver } from "@stowage/machinery";
import type { FinalObjects } from "../../cluster/embedded-scenarios/final-objects.ts";
import { normalValue, type Replacement } from "../../cluster/embedded-scenarios/normal-form.ts";

/** Asked when somebody looks after the driver or wants figures: when and how often is not part of any scenario. */
const passing: ReadonlySet<string> = new Set(["Probe", "NodeGetInfo", "NodeGetVolumeStats", "ListVolumes"]);

export interface Recorded {
  readonly calls: readonly CallRecord[];
  /** Those that are the same count once. */
  readonly repeats: boolean;
  readonly replacements: readonly Replacement[];
}

/** What the driver was asked, in order, and how it answered; and what CSINode says of it. */
export function recordedCalls(recorded: Recorded, entry: readonly CSINodeDriver[]): FinalObjects {
  const { repeats, replacements } = recorded;
  const calls = recorded.calls
    .filter(({ method }) => !passing.has(method))
    .map(({ method, request, code = "", message }) =>
      normalValue({ method, request, code, ...(message !== undefined && { message }) }, replacements),
    );
  const isFirst = (call: unknown, index: number) =>
    !calls.slice(0, index).some((other) => isDeepStrictEqual(call, other));
  return {
    calls: repeats ? calls.filter(isFirst) : calls,
    csinode: entry.map((fields) => normalValue(fields, replacements)),
  };
}
