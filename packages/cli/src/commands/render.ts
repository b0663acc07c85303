import type { PlatformType, TLSProfileType, TopologyMode } from "@stowage/machinery";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { driverArgument } from "./driver-argument.ts";

const logLevels = ["Normal", "Debug", "Trace", "TraceAll"] as const;
const topologies = [
  "HighlyAvailable",
  "HighlyAvailableArbiter",
  "SingleReplica",
  "DualReplica",
  "External",
] as const satisfies readonly TopologyMode[];
const tlsProfiles = ["Old", "Intermediate", "Modern"] as const satisfies readonly TLSProfileType[];
/** Those that there are drivers for. */
const platforms = [
  "AWS",
  "Azure",
  "External",
  "GCP",
  "IBMCloud",
  "None",
  "OpenStack",
  "PowerVS",
  "VSphere",
] as const satisfies readonly PlatformType[];

export const renderCommand = defineCommand({
  name: "render",
  summary: "print what the operator of a CSI driver would apply",
  details:
    "Asks no cluster: the options say what one would be like. Images come from the environment as they do for the operator " +
    "(`DRIVER_IMAGE`, `PROVISIONER_IMAGE` and so on), and are those that the originals publish where it says nothing. Hashes of " +
    "Secrets and ConfigMaps, which restart Pods, are not in it.",
  positional: [driverArgument],
  options: {
    platform: {
      type: "choice",
      choices: platforms,
      env: "STOWAGE_RENDER_PLATFORM",
      help: "what the cluster runs on; the driver's own platform when left out",
    },
    topology: {
      type: "choice",
      choices: topologies,
      default: "HighlyAvailable",
      env: "STOWAGE_RENDER_TOPOLOGY",
      help: "of the control plane",
    },
    logLevel: {
      type: "choice",
      choices: logLevels,
      default: "Normal",
      env: "STOWAGE_RENDER_LOG_LEVEL",
      help: "of the driver and its sidecars, as the ClusterCSIDriver has it",
    },
    clusterId: {
      type: "string",
      placeholder: "ID",
      default: "cluster-id",
      env: "STOWAGE_RENDER_CLUSTER_ID",
      help: "what the cloud knows the cluster by",
    },
    sidecars: {
      type: "choice",
      choices: ["Separate", "Combined"],
      env: "STOWAGE_RENDER_SIDECARS",
      help: "each in a container of its own, or all in one; the driver's own choice when left out",
    },
    tlsProfile: {
      type: "choice",
      choices: tlsProfiles,
      default: "Intermediate",
      env: "STOWAGE_RENDER_TLS_PROFILE",
      help: "of the API server, which the metrics follow",
    },
    output: {
      type: "choice",
      short: "o",
      choices: ["yaml", "json"],
      default: "yaml",
      help: "how to print the objects",
    },
  },
  async run({ env, terminal }, { output, ...cluster }, [driver = ""]) {
    const [{ loadDriverProfile, renderDriver }, { formatManifests }] = await Promise.all([
      import("@stowage/operators/csi-driver"),
      import("@stowage/operator"),
    ]);
    const objects = await renderDriver(await loadDriverProfile(driver), { cluster, env });
    const list = { apiVersion: "v1", kind: "List", items: objects };
    terminal.out(output === "json" ? `${JSON.stringify(list, null, 2)}\n` : formatManifests(objects));
    return exitCodes.success;
  },
});
