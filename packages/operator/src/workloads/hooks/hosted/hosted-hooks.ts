import { type Container, type Deployment, type EnvVar, StowageError } from "@stowage/machinery";
import type { WorkloadHook } from "../hook-context.ts";
import { withPodSpec } from "../pod-spec.ts";
import type { HostedControlPlane } from "./hosted-control-plane.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The part of a `HostedControlPlaneSource` that hooks need. */
export interface HostedFacts {
  current(signal: AbortSignal): Promise<Pick<HostedControlPlane, "spec">>;
}

/** HyperShiftReplicas: one, whatever the guest's topology says of the masters that it does not have. */
export function withHostedReplicas(): WorkloadHook<Deployment> {
  return (deployment) => ({ ...deployment, ...(deployment.spec && { spec: { ...deployment.spec, replicas: 1 } }) });
}

/** HyperShiftNodeSelector: the nodes that the control plane is on; anywhere when it does not say. */
export function withHostedNodeSelector(hosted: HostedFacts): WorkloadHook<Deployment> {
  return async (deployment, { signal }) => {
    const { nodeSelector = {} } = (await hosted.current(signal)).spec ?? {};
    return withPodSpec(deployment, (pod) => ({ ...pod, nodeSelector }));
  };
}

/** HyperShiftLabels: those of the control plane for its Pods. What the Pods have already stays: the selector needs it. */
export function withHostedLabels(hosted: HostedFacts): WorkloadHook<Deployment> {
  return async (deployment, { signal }) => {
    const { labels = {} } = (await hosted.current(signal)).spec ?? {};
    const { spec } = deployment;
    if (spec === undefined) return deployment;
    const { metadata } = spec.template;
    const template = { ...spec.template, metadata: { ...metadata, labels: { ...labels, ...metadata?.labels } } };
    return { ...deployment, spec: { ...spec, template } };
  };
}

/** HyperShiftControlPlaneImages: the management cluster may have another architecture or another release than its guest. */
export function withControlPlaneImages(env: Environment): WorkloadHook<Deployment> {
  const imageOf = ({ name }: Container) => {
    if (name === "csi-driver") return env["DRIVER_CONTROL_PLANE_IMAGE"];
    if (name === "csi-liveness-probe") return env["LIVENESS_PROBE_CONTROL_PLANE_IMAGE"];
    return name.includes("kube-rbac-proxy") ? env["KUBE_RBAC_PROXY_CONTROL_PLANE_IMAGE"] : undefined;
  };
  return (deployment) =>
    withContainers(deployment, (container) => ({ ...container, image: imageOf(container) || container.image }));
}

/** HyperShiftCustomTolerations: beside those that all control planes have. */
export function withHostedTolerations(hosted: HostedFacts): WorkloadHook<Deployment> {
  return async (deployment, { signal }) => {
    const { tolerations = [] } = (await hosted.current(signal)).spec ?? {};
    return withPodSpec(deployment, (pod) => ({ ...pod, tolerations: [...(pod.tolerations ?? []), ...tolerations] }));
  };
}

/** HyperShiftRunAsUser: `RUN_AS_USER`, for management clusters that give Pods no user of their own. */
export function withRunAsUser({ RUN_AS_USER: user }: Environment): WorkloadHook<Deployment> {
  return (deployment) => {
    if (!user) return deployment;
    const runAsUser = Number(user);
    if (!/^\d+$/u.test(user) || !Number.isSafeInteger(runAsUser)) {
      throw new StowageError("OBJECT_REFUSED", `RUN_AS_USER is ${JSON.stringify(user)}, which is no user's number`, {
        nextStep: "Set RUN_AS_USER in the operator's environment to a number from 0 on, or leave it out.",
      });
    }
    return withPodSpec(deployment, (pod) => ({ ...pod, securityContext: { ...pod.securityContext, runAsUser } }));
  };
}

/** HyperShiftProxy: that of the management cluster, from the operator's environment, for every container. */
export function withManagementProxy(env: Environment): WorkloadHook<Deployment> {
  const proxy = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"].flatMap((name): EnvVar[] => {
    const value = env[name];
    return value ? [{ name, value }] : [];
  });
  const isOther = ({ name }: EnvVar) => !proxy.some((variable) => variable.name === name);
  return (deployment) =>
    proxy.length === 0
      ? deployment
      : withContainers(deployment, (container) => ({
          ...container,
          env: [...(container.env ?? []).filter(isOther), ...proxy],
        }));
}

function withContainers(deployment: Deployment, change: (container: Container) => Container): Deployment {
  return withPodSpec(deployment, (pod) => ({ ...pod, containers: pod.containers.map(change) }));
}
