import { isDeepStrictEqual } from "node:util";
import type { CSINodeDriver } from "@stowage/machinery";
import type { FinalObjects } from "../embedded-scenarios/final-objects.ts";
import { normalValue, type Replacement } from "../embedded-scenarios/normal-form.ts";
import type { SceneDriver } from "./scene-driver.ts";

/** Asked when somebody looks after the driver or wants figures: when and how often is not part of any scenario. */
const passing: ReadonlySet<string> = new Set(["Probe", "NodeGetInfo", "NodeGetVolumeStats", "ListVolumes"]);

interface Shown {
  readonly driver: SceneDriver;
  readonly replacements: readonly Replacement[];
}

/** What the driver was asked, in order, and how it answered; and what CSINode says of it. */
export function recordedCalls({ driver, replacements }: Shown, entry: readonly CSINodeDriver[]): FinalObjects {
  const calls = driver.control
    .calls()
    .filter(({ method }) => !passing.has(method))
    .map(({ method, request, code = "", message }) =>
      normalValue({ method, request, code, ...(message !== undefined && { message }) }, replacements),
    );
  const isFirst = (call: unknown, index: number) =>
    !calls.slice(0, index).some((other) => isDeepStrictEqual(call, other));
  return {
    calls: driver.repeats ? calls.filter(isFirst) : calls,
    csinode: entry.map((fields) => normalValue(fields, replacements)),
  };
}
