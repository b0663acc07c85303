import type { Pod, PodTemplate } from "@stowage/machinery";
import type { Ages } from "../ages.ts";
import { containerTexts, isTrue, labelText } from "../cell-texts.ts";
import { ageColumn, column, containerColumns, nameColumn, wide } from "../columns.ts";
import { type Printers, printer, type RowCondition, type Sparse } from "../printer.ts";
import { podStatus, readyText } from "./pod-status.ts";

type SparsePod = Sparse<Pod>;

export const podPrinters: Printers = {
  "Pod.": printer<Pod>({
    columns: [
      nameColumn,
      column("Ready", { says: "The aggregate readiness state of this pod for accepting traffic." }),
      column("Status", { says: "The aggregate status of the containers in this pod." }),
      column("Restarts", {
        says: "The number of times the containers in this pod have been restarted and when the last container in this pod has restarted.",
      }),
      ageColumn,
      wide("IP", { of: "PodStatus.podIP" }),
      wide("Node", { of: "PodSpec.nodeName" }),
      wide("Nominated Node", { of: "PodStatus.nominatedNodeName" }),
      wide("Readiness Gates", { of: "PodSpec.readinessGates" }),
    ],
    cells: podCells,
    conditions: ({ status }) => finished[status?.phase ?? ""],
  }),
  "PodTemplate.": printer<PodTemplate>({
    columns: [
      nameColumn,
      ...containerColumns.map((each) => ({ ...each, priority: 0 })),
      column("Pod Labels", { says: "The labels for the pod template." }),
    ],
    cells: ({ metadata, template }) => [
      metadata?.name ?? "",
      ...containerTexts(template),
      labelText(template?.metadata?.labels),
    ],
  }),
};

const finished: Readonly<Record<string, readonly RowCondition[]>> = {
  Succeeded: [completed("Succeeded", "The pod has completed successfully.")],
  Failed: [completed("Failed", "The pod failed.")],
};

function completed(reason: string, message: string): RowCondition {
  return { type: "Completed", status: "True", reason, message };
}

function podCells(pod: SparsePod, ages: Ages): string[] {
  const { metadata, spec, status } = pod;
  const { reason, restarts, lastRestart, readyContainers } = podStatus(pod);
  const ago = restarts !== 0 && lastRestart !== undefined ? ` (${ages.since(lastRestart)} ago)` : "";
  return [
    metadata?.name ?? "",
    readyText(pod, readyContainers),
    reason,
    `${restarts}${ago}`,
    ages.since(metadata?.creationTimestamp),
    status?.podIPs?.[0]?.ip || "<none>",
    spec?.nodeName || "<none>",
    status?.nominatedNodeName || "<none>",
    gateText(pod),
  ];
}

/** How many of the gates are open. */
function gateText({ spec, status }: SparsePod): string {
  const gates = spec?.readinessGates ?? [];
  const open = gates.filter(({ conditionType = "" }) => isTrue(status?.conditions, conditionType));
  return gates.length === 0 ? "<none>" : `${open.length}/${gates.length}`;
}
