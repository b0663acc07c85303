import { type Command, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { driverSidecarOptions, sidecarLogOptions } from "../sidecars/common-options.ts";

const httpEndpoint = {
  type: "string",
  placeholder: "HOST:PORT",
  help: "where to serve /healthz and /metrics",
} as const;

const registrarCommand = defineCommand({
  name: "sidecar registrar",
  summary: "make a driver known to the node's kubelet",
  details: "The role of node-driver-registrar. Drivers of Stowage's own register themselves and need it not.",
  options: {
    ...driverSidecarOptions,
    kubeletRegistrationPath: {
      type: "string",
      placeholder: "SOCKET",
      help: "the driver's socket as kubelet sees it; required",
    },
    pluginRegistrationPath: {
      type: "string",
      placeholder: "FOLDER",
      default: "/registration",
      help: "kubelet's folder for registrations, as this process sees it",
    },
    timeout: { type: "duration", default: "1s", help: "how long a call to the driver may take" },
    httpEndpoint: { ...httpEndpoint, help: `${httpEndpoint.help}; nowhere when left out` },
    healthPort: { type: "int", default: 0, minimum: 0, help: "old way to say --http-endpoint=:PORT" },
    connectionTimeout: { type: "duration", help: "taken and ignored, as the original does" },
    enablePprof: { type: "boolean", help: "taken and ignored: profiles are those of Go programs" },
    mode: {
      type: "choice",
      choices: ["registration", "kubelet-registration-probe"],
      default: "registration",
      help: "register, or find out for an exec probe whether the registrar is at work",
    },
    ...sidecarLogOptions,
  },
  async run(context, options) {
    const { kubeletRegistrationPath, healthPort } = options;
    const problem = registrarProblem(options);
    if (kubeletRegistrationPath === undefined || problem !== undefined) {
      context.terminal.err(`stowage sidecar registrar: ${problem}\n`);
      return exitCodes.usage;
    }
    const address = healthPort > 0 ? { httpEndpoint: `:${healthPort}` } : {};
    const { probeRegistration, runRegistrarCommand } = await import("../sidecars/node-sidecars.ts");
    const run = options.mode === "registration" ? runRegistrarCommand : probeRegistration;
    return run(context, { ...options, ...address, kubeletRegistrationPath });
  },
});

function registrarProblem(options: {
  readonly kubeletRegistrationPath: string | undefined;
  readonly healthPort: number;
  readonly httpEndpoint: string | undefined;
}): string | undefined {
  if (options.kubeletRegistrationPath === undefined)
    return "--kubelet-registration-path is missing, such as /var/lib/kubelet/plugins/DRIVER/csi.sock";
  if (options.healthPort > 0 && options.httpEndpoint !== undefined)
    return "--health-port and --http-endpoint say the same; give one of the two";
  return undefined;
}

const livenessProbeCommand = defineCommand({
  name: "sidecar livenessprobe",
  summary: "answer kubelet's HTTP probe by asking the driver",
  options: {
    ...driverSidecarOptions,
    healthPort: { type: "int", default: 9808, minimum: 0, help: "port of /healthz, on every address" },
    httpEndpoint: { ...httpEndpoint, help: `${httpEndpoint.help}; takes the place of --health-port` },
    metricsPath: { type: "string", placeholder: "PATH", default: "/metrics", help: "path of the metrics" },
    probeTimeout: { type: "duration", default: "3s", help: "how long the driver may take to answer" },
    ...sidecarLogOptions,
  },
  async run(context, options) {
    const { runLivenessProbeCommand } = await import("../sidecars/node-sidecars.ts");
    return runLivenessProbeCommand(context, { ...options, address: options.httpEndpoint ?? `:${options.healthPort}` });
  },
});

const clusterDriverRegistrarCommand = defineCommand({
  name: "sidecar cluster-driver-registrar",
  summary: "keep the CSIDriver object of a driver that no operator looks after",
  options: {
    ...driverSidecarOptions,
    kubeconfig: { type: "string", placeholder: "FILE", help: "kubeconfig to use; in a Pod, its service account" },
    driverRequiresAttachment: {
      type: "choice",
      choices: ["true", "false"],
      help: "whether volumes are attached before they are mounted; as the driver says when left out",
    },
    podInfoMountVersion: { type: "string", placeholder: "VERSION", help: "tell the driver about Pods; v1" },
    deleteOnExit: { type: "boolean", help: "remove the object when stopped; else it stays, as volumes in use need it" },
    ...sidecarLogOptions,
  },
  async run(context, options) {
    const { runClusterDriverRegistrar } = await import("../sidecars/node-sidecars.ts");
    return runClusterDriverRegistrar(context, options);
  },
});

export const nodeSidecarCommands: readonly Command[] = [
  registrarCommand,
  livenessProbeCommand,
  clusterDriverRegistrarCommand,
];
