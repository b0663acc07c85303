import { StowageError } from "@stowage/machinery";
import { type Command, defineCommand } from "../command.ts";
import { logOptions, outputOptions } from "../options/common-options.ts";
import type { OptionTable } from "../options/option-table.ts";
import { controlPlaneIds } from "../up/control-plane/control-plane-ids.ts";
import { platformIds } from "../up/platforms/platform-ids.ts";

/** Of every command about the cluster that `stowage up` runs. */
const stateOptions = {
  stateDir: {
    type: "string",
    placeholder: "FOLDER",
    env: "STOWAGE_UP_STATE_DIR",
    help: "where all of the cluster is kept; ~/.stowage/cluster when left out",
  },
} as const satisfies OptionTable;

/** Never from the environment but for images: nobody is to change a cluster by accident. */
const existingOptions = {
  kubeconfig: {
    type: "string",
    placeholder: "FILE",
    env: false,
    help: "install in this cluster, which is there, in place of the embedded one; asks first",
  },
  context: { type: "string", placeholder: "NAME", env: false, help: "context of the kubeconfig to use" },
  image: {
    type: "string",
    placeholder: "IMAGE",
    env: "STOWAGE_UP_IMAGE",
    help: "with --kubeconfig: the image of Stowage, such as registry.example.com/stowage:0.1.0; its others are beside it",
  },
  setImage: {
    type: "list",
    placeholder: "VARIABLE=IMAGE,…",
    env: "STOWAGE_UP_SET_IMAGE",
    help: "with --kubeconfig: other images, by the storage operator's variables; an empty one is an image that there is not",
  },
  dryRun: { type: "boolean", env: false, help: "with --kubeconfig: show what would be changed, and change nothing" },
  yes: { type: "boolean", env: false, help: "with --kubeconfig: do not ask" },
  wait: { type: "boolean", default: true, env: false, help: "with --kubeconfig: wait until storage works" },
} as const satisfies OptionTable;

const stopOptions = {
  ...stateOptions,
  timeout: { type: "duration", default: "1m", help: "how long a running `stowage up` may take to end" },
  ...logOptions,
} as const satisfies OptionTable;

const upCommand = defineCommand({
  name: "up",
  summary: "run a cluster with storage on this machine",
  details:
    "Starts a Kubernetes of its own in this process, hands the version operator the payload, and waits until the operators have brought " +
    "the local driver up and a Pod has written to a volume. Serves on the loopback alone. Runs until it is stopped; then everything " +
    "ends in order and the data stays, and the next start goes on from there. As root, volumes are file systems on loop devices; " +
    "without, they are folders. With `--kubeconfig` it installs in a cluster that is there: shows what that changes, asks, and ends when " +
    "storage works there.",
  options: {
    ...stateOptions,
    nodes: { type: "int", default: 1, minimum: 1, help: "how many nodes the cluster has" },
    port: { type: "int", minimum: 1, help: "of the API server; the one of last time, or any free one, when left out" },
    platform: {
      type: "choice",
      choices: platformIds,
      env: "STOWAGE_UP_PLATFORM",
      help:
        "what the cluster runs on: local keeps volumes on the nodes' disks; aws, azure, gcp, ibm, openstack, powervs and vsphere simulate a cloud on " +
        "the embedded cluster, with the mock driver under the name of the cloud's own; local when left out, with --kubeconfig as the cluster says",
    },
    controlPlane: {
      type: "choice",
      choices: controlPlaneIds,
      env: "STOWAGE_UP_CONTROL_PLANE",
      help:
        "whose API server and controllers the cluster has: embedded is in this process; kubernetes is the real one, built from its sources " +
        "the first time, which needs Go and a checkout; embedded when left out",
    },
    ...existingOptions,
    demo: { type: "boolean", default: true, help: "make a PVC and a Pod that writes to it" },
    timeout: { type: "duration", default: "5m", help: "how long it may take until storage works" },
    exitWhenReady: { type: "boolean", help: "stop everything as soon as storage works" },
    ...outputOptions,
    // Controllers that are refused try again: that is no news to somebody who watches the steps.
    logLevel: { ...logOptions.logLevel, default: "error" },
  },
  async run(context, options) {
    const { isTTY, columns } = process.stderr;
    const look = { columns: isTTY ? columns : undefined, hasColours: isTTY && (context.env.NO_COLOR ?? "") === "" };
    const { kubeconfig } = options;
    if (kubeconfig !== undefined) {
      if (options.controlPlane !== undefined)
        throw new StowageError("UP_OPTIONS", "--control-plane is not for --kubeconfig: that cluster has its own");
      const { runUpOnExisting } = await import("../up/existing/index.ts");
      const sitting = { ...look, isInteractive: isTTY && process.stdin.isTTY, input: process.stdin };
      return runUpOnExisting(context, { ...options, kubeconfig }, sitting);
    }
    if (options.dryRun)
      throw new StowageError("UP_OPTIONS", "--dry-run is for --kubeconfig: the embedded cluster is its own");
    const { runUp } = await import("../up/up-run.ts");
    return runUp(context, options, look);
  },
});

const downCommand = defineCommand({
  name: "down",
  summary: "stop the cluster that `stowage up` runs",
  details: "Also ends what is left of one that was killed. The data stays.",
  options: stopOptions,
  async run(context, options) {
    const { runDown } = await import("../up/down-run.ts");
    return runDown(context, options);
  },
});

const resetCommand = defineCommand({
  name: "reset",
  summary: "stop the cluster that `stowage up` runs, and remove all that it kept",
  details: "No file, mount, loop device or process is left of it. Volumes go with it.",
  options: stopOptions,
  async run(context, options) {
    const { runReset } = await import("../up/down-run.ts");
    return runReset(context, options);
  },
});

/** A cluster on this machine, from nothing to storage that works. */
export const upCommands: readonly Command[] = [upCommand, downCommand, resetCommand];
