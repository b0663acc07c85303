/** The role of livenessprobe: answers kubelet's HTTP probe by asking the driver. */
export { type LivenessProbeDeps, type LivenessProbeOptions, startLivenessProbe } from "./liveness-probe.ts";
