import { StowageError } from "@stowage/machinery";
import { usualMarks } from "./ownership-mark.ts";

/** Of clouds with drivers of ours whose volumes have to be deleted by hand, until somebody writes a `VolumeCloud` for them. */
export function notYet(cloud: string, clusterId: string): StowageError {
  const marks = usualMarks(clusterId).map(({ key, value }) => `${key}=${value}`);
  return new StowageError("CLOUD_NOT_YET", `volumes of ${cloud} cannot be destroyed yet; nothing was looked for`, {
    nextStep: `Delete them with the cloud's own tools: they are marked with ${marks.join(" or ")}.`,
  });
}
