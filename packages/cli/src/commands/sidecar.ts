import { type Command, defineCommand } from "../command.ts";
import { clusterSidecarOptions, driverSidecarOptions, sidecarLogOptions } from "../sidecars/common-options.ts";
import { driverSidecars } from "../sidecars/flags/index.ts";
import { snapshotControllerFlags } from "../sidecars/flags/snapshot-controller.ts";
import type { SidecarFlags } from "../sidecars/sidecar-flags.ts";

const details =
  "Takes the place of the original of that name: a Deployment written for it works with only the image changed.";

function sidecarCommand({ name, summary, options }: SidecarFlags, withDriver: boolean): Command {
  return defineCommand({
    name: `sidecar ${name}`,
    summary,
    details,
    options: {
      ...(withDriver ? driverSidecarOptions : {}),
      ...options,
      ...clusterSidecarOptions,
      ...sidecarLogOptions,
    },
    async run(context, values) {
      const { runOneSidecar } = await import("../sidecars/sidecar-run.ts");
      return runOneSidecar(context, name, values);
    },
  });
}

export const sidecarCommands: readonly Command[] = [
  ...driverSidecars.map((flags) => sidecarCommand(flags, true)),
  sidecarCommand(snapshotControllerFlags, false),
];
