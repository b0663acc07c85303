import { defineCommand } from "../command.ts";
import { clusterOptions, logOptions } from "../options/common-options.ts";

export const uninstallCommand = defineCommand({
  name: "uninstall",
  summary: "remove what the operators have made in a cluster",
  details:
    "For a cluster that Stowage's version operator was installed in, after that was removed the way it came (`helm uninstall`, `kubectl " +
    "delete -k`). Lists what there is; removes it with `--yes`. Refuses while a PersistentVolume of one of the drivers is left, and on " +
    "clusters of somebody else's. What volumes had on the disks of nodes goes with the volumes, and not with this.",
  options: {
    yes: { type: "boolean", help: "remove it" },
    timeout: { type: "duration", default: "10m", help: "how long to wait until everything is gone" },
    ...clusterOptions,
    ...logOptions,
  },
  async run(context, options) {
    const { runUninstall } = await import("../uninstall/uninstall-run.ts");
    return runUninstall(context, options);
  },
});
