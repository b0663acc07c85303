import { type Command, defineCommand } from "../command.ts";
import { cloudNames } from "../destroy/cloud-choice.ts";
import { logOptions, outputOptions } from "../options/common-options.ts";

const volumesCommand = defineCommand({
  name: "destroy volumes",
  summary: "list and delete what a cluster that is no more has left in its cloud",
  details:
    "Finds every volume and snapshot that is marked as the cluster's own (`kubernetes.io/cluster/ID=owned` or " +
    "`kubernetes-io-cluster-ID=owned`; with OpenStack also what Cinder's driver writes), and lists it. Deletes with `--yes`, or after " +
    "asking where somebody sits at a terminal; otherwise nothing is touched. Each is looked at again right before it is deleted. What " +
    "is in use is waited for and never detached. Can be interrupted and run again. The exit code is 1 when something is left.",
  options: {
    clusterId: {
      type: "string",
      placeholder: "ID",
      help: "the cluster, by `status.infrastructureName` of its Infrastructure; required",
    },
    cloud: {
      type: "choice",
      choices: cloudNames,
      help: "where to look; found by the options below and the environment when left out",
    },
    yes: { type: "boolean", help: "delete, and do not ask" },
    timeout: {
      type: "duration",
      default: "10m",
      help: "how long to wait for what is in use, counted from the last one that could be deleted",
    },
    region: { type: "string", placeholder: "NAME", help: "aws: the region; as the environment or the profile says" },
    cloudsFile: {
      type: "string",
      placeholder: "FILE",
      env: "OS_CLIENT_CONFIG_FILE",
      help: "openstack: a clouds.yaml, whose cloud `openstack` is used",
    },
    caFile: {
      type: "string",
      placeholder: "FILE",
      env: "OS_CACERT",
      help: "openstack: an authority to trust beside those that everybody knows",
    },
    stateDir: { type: "string", placeholder: "FOLDER", help: "local: where the driver keeps volumes; it must not run" },
    contents: {
      type: "choice",
      choices: ["auto", "image", "directory"],
      default: "auto",
      help: "local: as the driver was told",
    },
    ...outputOptions,
    ...logOptions,
  },
  async run(context, options) {
    const { runDestroyVolumes } = await import("./destroy-process.ts");
    return runDestroyVolumes(context, options, {
      isInteractive: process.stdin.isTTY && process.stderr.isTTY,
      input: process.stdin,
    });
  },
});

export const destroyCommands: readonly Command[] = [volumesCommand];
