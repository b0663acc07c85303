import type { ObjectPatch } from "@stowage/operator";
import {
  hostLivenessProbe,
  nodeCombinedContainer,
  nodeRegistrar,
  ownRbacProxy,
  podLivenessProbe,
  rbacProxy,
} from "./containers.ts";
import { stepName } from "./controller-drafts.ts";
import { addedContainers, type Draft } from "./draft.ts";
import type { DriverComposition, NodeMetrics, NodeRegistrar } from "./driver-composition.ts";
import { metricsService, serviceAccount, serviceMonitor } from "./service-bases.ts";
import { baseNode } from "./workload-bases.ts";

/** The DaemonSet and what stands around it. */
export function nodeDrafts(composition: DriverComposition): Draft[] {
  const { assetPrefix } = composition;
  const place = { assetPrefix, part: "node" } as const;
  const ports = exposedMetrics(composition).map(({ name, exposed }) => ({ name: `${name}-m`, port: exposed }));
  const metricsDrafts = [
    { stem: "node-metrics-service", base: metricsService(place, ports) },
    { stem: "node-metrics-monitor", base: serviceMonitor(place, ports) },
  ];
  return [
    { stem: "node-service-account", base: serviceAccount(place) },
    { stem: "node", base: baseNode(composition), steps: nodeSteps(composition), values: patchValues(composition) },
    ...(ports.length === 0 ? [] : metricsDrafts),
  ];
}

/** Whether nodes expose metrics, and whoever reads them has to be asked who they are. */
export function exposesNodeMetrics(composition: DriverComposition): boolean {
  return exposedMetrics(composition).length > 0;
}

function exposedMetrics({ node: { metrics = [], sidecars } }: DriverComposition): NodeMetrics[] {
  return [...metrics, ...(sidecars === undefined ? [] : [{ name: "sidecars", ...sidecars.metrics }])];
}

function nodeSteps(composition: DriverComposition): ObjectPatch[] {
  const { driverName, node } = composition;
  const { registrar, sidecars } = node;
  return [
    ...(sidecars === undefined
      ? []
      : [
          addedContainers(stepName("csi-sidecars", sidecars.metrics), [
            nodeCombinedContainer(sidecars.sidecars, sidecars.metrics, sidecars.flags ?? []),
          ]),
        ]),
    ...exposedMetrics(composition).map((ports) => {
      const name = ports.name === "driver" ? `kube-rbac-proxy-${ports.local}` : `${ports.name}-kube-rbac-proxy`;
      const proxy = composition.isOwnImage ? ownRbacProxy : rbacProxy;
      return addedContainers(stepName(name, ports), [proxy(name, `${ports.name}-m`, ports)]);
    }),
    ...(registrar === undefined
      ? []
      : [
          addedContainers(`csi-liveness-probe at ${registrar.livenessPort}`, [nodeLivenessProbe(registrar)]),
          addedContainers(`csi-node-driver-registrar at ${registrar.healthPort}`, [
            nodeRegistrar(driverName, registrar),
          ]),
        ]),
  ];
}

function nodeLivenessProbe({ livenessPort, livenessFlags = [], isInPodNetwork }: NodeRegistrar) {
  return (isInPodNetwork ? podLivenessProbe : hostLivenessProbe)(livenessPort, livenessFlags);
}

function patchValues({ assetPrefix, assetShortPrefix, driverName, node }: DriverComposition) {
  const [driver] = node.metrics ?? [];
  return {
    ASSET_PREFIX: assetPrefix,
    ASSET_SHORT_PREFIX: assetShortPrefix,
    DRIVER_NAME: driverName,
    LIVENESS_PROBE_PORT: node.registrar && String(node.registrar.livenessPort),
    LOCAL_METRICS_PORT: driver && String(driver.local),
    EXPOSED_METRICS_PORT: driver && String(driver.exposed),
  };
}
