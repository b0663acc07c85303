import { podDisruptionBudgets, pods, priorityClasses } from "@stowage/machinery";
import type { Scenario, Scene } from "../scenario.ts";
import { makeNodes, makePod, place, untilAlone, untilRefused, untilScheduled } from "../scheduler-objects.ts";
import { untilTold } from "../storage-objects.ts";

const told = { compares: [pods], events: ["Pod"], eventCounts: false, alone: true } as const;
/** How often the Pod is looked at in vain while others leave for it, and what it is told then, hangs on chance. */
const about = { compares: [pods] } as const;

async function makePriority(scene: Scene, name: string, value: number): Promise<string> {
  const { metadata } = await scene.create(priorityClasses, { metadata: { name: `${name}-${scene.id}` }, value });
  return metadata.name ?? "";
}

/** As kubelet does once everything has ended. */
async function untilPreempted(scene: Scene, name: string): Promise<void> {
  const { namespace } = scene;
  await scene.until(pods, name, ({ metadata }) => metadata.deletionTimestamp !== undefined);
  await scene.until(pods, "urgent", ({ status }) => status?.nominatedNodeName !== undefined);
  await untilTold(scene, "Preempted");
  await scene.client.delete(pods, { namespace, name }, { gracePeriodSeconds: 0 });
}

export const preemption: Scenario[] = [
  {
    name: "a Pod takes the place of one that matters less",
    ...about,
    async run(scene) {
      await makeNodes(scene, { one: { cpu: "2" } });
      const urgent = await makePriority(scene, "urgent", 1000);
      await place(scene, { modest: { cpu: "1500m" }, small: { cpu: "200m" } });
      await makePod(scene, "urgent", { cpu: "1500m", priorityClassName: urgent });
      await untilPreempted(scene, "modest");
      await untilScheduled(scene, "urgent");
    },
  },
  {
    name: "of two that could go, the one without a budget does",
    ...about,
    async run(scene) {
      await makeNodes(scene, { one: { cpu: "2" }, two: { cpu: "2" } });
      const urgent = await makePriority(scene, "urgent", 1000);
      const guarded = { app: "guarded" };
      await scene.create(podDisruptionBudgets, {
        metadata: { name: "guard" },
        spec: { minAvailable: 1, selector: { matchLabels: guarded } },
      });
      await place(scene, { guarded: { cpu: "1500m", on: "one", labels: guarded }, loose: { cpu: "1500m", on: "two" } });
      await makePod(scene, "urgent", { cpu: "1500m", priorityClassName: urgent });
      await untilPreempted(scene, "loose");
      await untilScheduled(scene, "urgent");
    },
  },
  {
    name: "of two that could go, the one that matters least does",
    ...about,
    async run(scene) {
      await makeNodes(scene, { one: { cpu: "2" }, two: { cpu: "2" } });
      const urgent = await makePriority(scene, "urgent", 1000);
      const middle = await makePriority(scene, "middle", 100);
      await place(scene, {
        middle: { cpu: "1500m", on: "one", priorityClassName: middle },
        least: { cpu: "1500m", on: "two" },
      });
      await makePod(scene, "urgent", { cpu: "1500m", priorityClassName: urgent });
      await untilPreempted(scene, "least");
      await untilScheduled(scene, "urgent");
    },
  },
  {
    name: "nobody goes for one that is not to preempt",
    ...told,
    async run(scene) {
      await untilAlone(scene);
      await makeNodes(scene, { one: { cpu: "2" } });
      const { metadata } = await scene.create(priorityClasses, {
        metadata: { name: `patient-${scene.id}` },
        value: 1000,
        preemptionPolicy: "Never",
      });
      await place(scene, { below: { cpu: "1500m" } });
      await makePod(scene, "patient", { cpu: "1500m", priorityClassName: metadata.name });
      await untilRefused(scene, "patient");
    },
  },
  {
    name: "nobody goes where it would not help",
    ...told,
    async run(scene) {
      await untilAlone(scene);
      await makeNodes(scene, { one: { cpu: "2" } });
      const urgent = await makePriority(scene, "urgent", 1000);
      const middle = await makePriority(scene, "middle", 2000);
      await place(scene, { above: { cpu: "1500m", priorityClassName: middle }, below: { cpu: "100m" } });
      await makePod(scene, "urgent", { cpu: "1500m", priorityClassName: urgent });
      await untilRefused(scene, "urgent");
    },
  },
];
