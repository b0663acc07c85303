import type { ObjectPatch } from "@stowage/operator";
import { combinedContainer, podLivenessProbe, rbacProxy, sidecarContainer } from "./containers.ts";
import { addedContainers, type Draft } from "./draft.ts";
import type { ControllerComposition, DriverComposition, MetricsPorts } from "./driver-composition.ts";
import {
  controllerBudget,
  type ExposedPort,
  metricsService,
  serviceAccount,
  serviceMonitor,
  trustedCaBundle,
} from "./service-bases.ts";
import { controllerSidecars } from "./sidecar-table.ts";
import { baseController } from "./workload-bases.ts";

/** The Deployment and what stands around it. What depends on the mode has a variant for each. */
export function controllerDrafts(composition: DriverComposition): Draft[] {
  const { assetPrefix, controller, modes } = composition;
  if (controller === undefined) return [];
  const place = { assetPrefix, part: "controller" } as const;
  return [
    { stem: "controller-service-account", base: serviceAccount(place) },
    { stem: "controller-pdb", base: controllerBudget(assetPrefix) },
    { stem: "trusted-ca-bundle", base: trustedCaBundle(assetPrefix) },
    ...modes.flatMap((each): Draft[] => {
      const mode = modes.length > 1 ? each : undefined;
      const sidecars = each === "Combined" ? combinedSidecars(controller) : separateSidecars(controller);
      const ports = [...sidecars.ports, ...driverPorts(controller)];
      return [
        {
          stem: "controller",
          mode,
          base: baseController(composition),
          steps: [...driverProxies(controller), ...sidecars.steps, liveness(controller)],
          values: patchValues(composition, controller),
        },
        { stem: "controller-metrics-service", mode, base: metricsService(place, ports) },
        { stem: "controller-metrics-monitor", mode, base: serviceMonitor(place, ports) },
      ];
    }),
  ];
}

const driverPort = "driver-m";

function driverPorts({ metrics, servesNoMetrics = false, furtherMetrics = [] }: ControllerComposition): ExposedPort[] {
  const further = furtherMetrics.map(({ name, exposed }) => ({ name: `${name}-m`, port: exposed }));
  return [...(servesNoMetrics ? [] : [{ name: driverPort, port: metrics.exposed }]), ...further];
}

/** Where the ports of sidecars begin. */
function firstPorts({ metrics, sidecarMetrics }: ControllerComposition): MetricsPorts {
  return sidecarMetrics ?? portsAfter(metrics, 1);
}

interface ComposedSidecars {
  readonly steps: readonly ObjectPatch[];
  readonly ports: readonly ExposedPort[];
}

/** Each in a container of its own, with a proxy of its own, at ports one after the other. */
function separateSidecars(controller: ControllerComposition): ComposedSidecars {
  const used = controller.sidecars.map(({ name, flags = [] }, index) => {
    const sidecar = controllerSidecars[name];
    const ports = portsAfter(firstPorts(controller), index);
    const step = addedContainers(stepName(sidecar.container, ports, flags), [
      sidecarContainer(sidecar, ports, flags),
      rbacProxy(sidecar.proxy, sidecar.portName, ports),
    ]);
    return { step, port: { name: sidecar.portName, port: ports.exposed } };
  });
  return { steps: used.map(({ step }) => step), ports: used.map(({ port }) => port) };
}

/** All of them in one, with one proxy, at the ports that the first would have. */
function combinedSidecars(controller: ControllerComposition): ComposedSidecars {
  const { sidecars } = controller;
  const ports = firstPorts(controller);
  const name = "sidecars-m";
  const flags = sidecars.map((sidecar) => [sidecar.name, ...(sidecar.flags ?? [])].join(" "));
  const step = addedContainers(stepName("csi-sidecars", ports, flags), [
    combinedContainer(sidecars, ports),
    rbacProxy("sidecars-kube-rbac-proxy", name, ports),
  ]);
  return { steps: [step], ports: [{ name, port: ports.exposed }] };
}

function driverProxies({
  metrics,
  servesNoMetrics = false,
  furtherMetrics = [],
}: ControllerComposition): ObjectPatch[] {
  const proxied = (name: string, portName: string, ports: MetricsPorts) =>
    addedContainers(stepName(name, ports), [rbacProxy(name, portName, ports)]);
  return [
    ...(servesNoMetrics ? [] : [proxied(`kube-rbac-proxy-${metrics.local}`, driverPort, metrics)]),
    ...furtherMetrics.map((ports) => proxied(`${ports.name}-kube-rbac-proxy`, `${ports.name}-m`, ports)),
  ];
}

function liveness({ livenessPort, livenessFlags = [] }: ControllerComposition): ObjectPatch {
  return addedContainers(`csi-liveness-probe at ${livenessPort}`, [podLivenessProbe(livenessPort, livenessFlags)]);
}

function portsAfter({ local, exposed }: MetricsPorts, distance: number): MetricsPorts {
  return { local: local + distance, exposed: exposed + distance };
}

/** As the first lines of the file have it. */
export function stepName(name: string, { local, exposed }: MetricsPorts, flags: readonly string[] = []): string {
  return [name, `(metrics ${local}, exposed ${exposed})`, ...flags].join(" ");
}

function patchValues(
  { assetPrefix, assetShortPrefix, driverName }: DriverComposition,
  { metrics, livenessPort }: ControllerComposition,
): Record<string, string> {
  return {
    ASSET_PREFIX: assetPrefix,
    ASSET_SHORT_PREFIX: assetShortPrefix,
    DRIVER_NAME: driverName,
    LOCAL_METRICS_PORT: String(metrics.local),
    EXPOSED_METRICS_PORT: String(metrics.exposed),
    LIVENESS_PROBE_PORT: String(livenessPort),
  };
}
