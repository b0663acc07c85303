import type {
  ControllerRevision,
  DaemonSet,
  Deployment,
  PodDisruptionBudget,
  ReplicaSet,
  ReplicationController,
  Scale,
  StatefulSet,
} from "@stowage/machinery";
import type { Ages } from "../ages.ts";
import { containerTexts, labelText, selectorText, shownSelector } from "../cell-texts.ts";
import { ageColumn, type Column, column, containerColumns, nameColumn, typed, wide } from "../columns.ts";
import { type Cell, type Printers, printer, type Sparse } from "../printer.ts";

export const workloadPrinters: Printers = {
  "ReplicationController.": printer<ReplicationController>({
    columns: replicaColumns("ReplicationController"),
    cells: (object, ages) => [...replicaCells(object, ages), labelText(object.spec?.selector)],
  }),
  "ReplicaSet.apps": printer<ReplicaSet>({
    columns: replicaColumns("ReplicaSet"),
    cells: (object, ages) => [...replicaCells(object, ages), shownSelector(object.spec?.selector)],
  }),
  "DaemonSet.apps": printer<DaemonSet>({
    columns: [
      nameColumn,
      typed("integer", "Desired", { of: "DaemonSetStatus.desiredNumberScheduled" }),
      typed("integer", "Current", { of: "DaemonSetStatus.currentNumberScheduled" }),
      typed("integer", "Ready", { of: "DaemonSetStatus.numberReady" }),
      typed("integer", "Up-to-date", { of: "DaemonSetStatus.updatedNumberScheduled" }),
      typed("integer", "Available", { of: "DaemonSetStatus.numberAvailable" }),
      column("Node Selector", { of: "PodSpec.nodeSelector" }),
      ageColumn,
      ...containerColumns,
      wide("Selector", { of: "DaemonSetSpec.selector" }),
    ],
    cells: ({ metadata, spec, status }, ages) => [
      metadata?.name ?? "",
      status?.desiredNumberScheduled ?? 0,
      status?.currentNumberScheduled ?? 0,
      status?.numberReady ?? 0,
      status?.updatedNumberScheduled ?? 0,
      status?.numberAvailable ?? 0,
      labelText(spec?.template?.spec?.nodeSelector),
      ages.since(metadata?.creationTimestamp),
      ...containerTexts(spec?.template),
      shownSelector(spec?.selector),
    ],
  }),
  "Deployment.apps": printer<Deployment>({
    columns: [
      nameColumn,
      readyPods(),
      column("Up-to-date", { of: "DeploymentStatus.updatedReplicas" }),
      column("Available", { of: "DeploymentStatus.availableReplicas" }),
      ageColumn,
      ...containerColumns,
      wide("Selector", { of: "DeploymentSpec.selector" }),
    ],
    cells: ({ metadata, spec, status }, ages) => [
      metadata?.name ?? "",
      readyOf(status?.readyReplicas, spec?.replicas),
      status?.updatedReplicas ?? 0,
      status?.availableReplicas ?? 0,
      ages.since(metadata?.creationTimestamp),
      ...containerTexts(spec?.template),
      selectorText(spec?.selector, "<invalid>"),
    ],
  }),
  "StatefulSet.apps": printer<StatefulSet>({
    columns: [nameColumn, readyPods(), ageColumn, ...containerColumns],
    cells: ({ metadata, spec, status }, ages) => [
      metadata?.name ?? "",
      readyOf(status?.readyReplicas, spec?.replicas),
      ages.since(metadata?.creationTimestamp),
      ...containerTexts(spec?.template),
    ],
  }),
  "ControllerRevision.apps": printer<ControllerRevision>({
    columns: [
      nameColumn,
      column("Controller", { says: "Controller of the object" }),
      column("Revision", { of: "ControllerRevision.revision" }),
      ageColumn,
    ],
    cells: (object, ages) => [
      object.metadata?.name ?? "",
      controllerText(object),
      object.revision ?? 0,
      ages.since(object.metadata?.creationTimestamp),
    ],
  }),
  "PodDisruptionBudget.policy": printer<PodDisruptionBudget>({
    columns: [
      nameColumn,
      column("Min Available", { says: "The minimum number of pods that must be available." }),
      column("Max Unavailable", { says: "The maximum number of pods that may be unavailable." }),
      typed("integer", "Allowed Disruptions", {
        says: "Calculated number of pods that may be disrupted at this time.",
      }),
      ageColumn,
    ],
    cells: ({ metadata, spec, status }, ages) => [
      metadata?.name ?? "",
      String(spec?.minAvailable ?? "N/A"),
      String(spec?.maxUnavailable ?? "N/A"),
      status?.disruptionsAllowed ?? 0,
      ages.since(metadata?.creationTimestamp),
    ],
  }),
  "Scale.autoscaling": printer<Scale>({
    columns: [
      { ...nameColumn, format: "" },
      typed("integer", "Desired", { of: "ScaleSpec.replicas" }),
      typed("integer", "Available", { of: "ScaleStatus.replicas" }),
      ageColumn,
    ],
    cells: ({ metadata, spec, status }, ages) => [
      metadata?.name ?? "",
      spec?.replicas ?? 0,
      status?.replicas ?? 0,
      ages.since(metadata?.creationTimestamp),
    ],
  }),
};

/** The two kinds that keep a number of Pods differ in nothing but how they choose them. */
function replicaColumns(kind: "ReplicationController" | "ReplicaSet"): Column[] {
  return [
    nameColumn,
    typed("integer", "Desired", { of: `${kind}Spec.replicas` }),
    typed("integer", "Current", { of: `${kind}Status.replicas` }),
    typed("integer", "Ready", { of: `${kind}Status.readyReplicas` }),
    ageColumn,
    ...containerColumns,
    wide("Selector", { of: `${kind}Spec.selector` }),
  ];
}

/** All but the last column. */
function replicaCells(
  { metadata, spec, status }: Sparse<ReplicationController> | Sparse<ReplicaSet>,
  ages: Ages,
): readonly Cell[] {
  return [
    metadata?.name ?? "",
    spec?.replicas ?? 0,
    status?.replicas ?? 0,
    status?.readyReplicas ?? 0,
    ages.since(metadata?.creationTimestamp),
    ...containerTexts(spec?.template),
  ];
}

function readyPods(): Column {
  return column("Ready", { says: "Number of the pod with ready state" });
}

function readyOf(ready = 0, desired = 0): string {
  return `${ready}/${desired}`;
}

/** `statefulset.apps/web`. */
function controllerText({ metadata }: Sparse<ControllerRevision>): string {
  const owner = metadata?.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) return "<none>";
  const [group = ""] = (owner.apiVersion ?? "").split("/").slice(0, -1);
  const kind = group === "" ? (owner.kind ?? "") : `${owner.kind}.${group}`;
  return `${kind.toLowerCase()}/${owner.name}`;
}
