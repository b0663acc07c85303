import { type Job, type JobSpec, jobs, type Pod, pods } from "@stowage/machinery";
import type { Scenario, Scene } from "../scenario.ts";
import { podTemplate } from "../workload-objects.ts";

const compares = [jobs, pods];
const events = ["Job"];
const has =
  (type: string, status = "True") =>
  (job: Job) =>
    job.status?.conditions?.some((each) => each.type === type && each.status === status) ?? false;
const isActive = (count: number) => (job: Job) => (job.status?.active ?? 0) === count;

function work(more: Partial<JobSpec> = {}) {
  return { metadata: { name: "work" }, spec: { template: podTemplate("work", { restartPolicy: "Never" }), ...more } };
}

async function end(scene: Scene, pod: Pod, phase: "Succeeded" | "Failed", exitCode = phase === "Failed" ? 1 : 0) {
  const finishedAt = new Date().toISOString().replace(/\.\d+/u, "");
  const state = { terminated: { exitCode, finishedAt, startedAt: finishedAt } };
  const status = { name: "main", image: "example.org/main:1", imageID: "", ready: false, restartCount: 0, state };
  await scene.patchStatus(pods, pod.metadata.name ?? "", { phase, containerStatuses: [status] });
}

const running = (all: readonly Pod[]) => all.filter(({ status }) => status?.phase === "Pending");
const awaitRunning = async (scene: Scene, count: number) =>
  running(await scene.untilAll(pods, (all) => running(all).length === count));
const byIndex = (a: Pod, b: Pod) => ((a.metadata.generateName ?? "") < (b.metadata.generateName ?? "") ? -1 : 1);

export const completions: Scenario[] = [
  {
    name: "one Pod that nobody runs",
    compares,
    events,
    async run(scene) {
      await scene.create(jobs, work());
      await scene.until(jobs, "work", isActive(1));
    },
  },
  {
    name: "it is complete when its Pod has succeeded",
    compares,
    events,
    async run(scene) {
      await scene.create(jobs, work());
      for (const pod of await awaitRunning(scene, 1)) await end(scene, pod, "Succeeded");
      await scene.until(jobs, "work", has("Complete"));
    },
  },
  {
    name: "several in a row, two at once",
    compares,
    events,
    async run(scene) {
      await scene.create(jobs, work({ completions: 3, parallelism: 2 }));
      for (const pod of await awaitRunning(scene, 2)) await end(scene, pod, "Succeeded");
      for (const pod of await awaitRunning(scene, 1)) await end(scene, pod, "Succeeded");
      await scene.until(jobs, "work", has("Complete"));
    },
  },
  {
    name: "without a number, it is complete when one has succeeded and all have ended",
    compares,
    events,
    async run(scene) {
      await scene.create(jobs, work({ parallelism: 2 }));
      await scene.patch(jobs, "work", { metadata: { labels: { seen: "yes" } } });
      const [first, second] = await awaitRunning(scene, 2);
      if (first !== undefined) await end(scene, first, "Succeeded");
      await scene.until(jobs, "work", ({ status }) => status?.succeeded === 1 && status.active === 1);
      if (second !== undefined) await end(scene, second, "Succeeded");
      await scene.until(jobs, "work", has("Complete"));
    },
  },
  {
    name: "less at once: some Pods go",
    compares: [jobs],
    async run(scene) {
      await scene.create(jobs, work({ parallelism: 3, completions: 5 }));
      await awaitRunning(scene, 3);
      await scene.patch(jobs, "work", { spec: { parallelism: 1 } });
      await awaitRunning(scene, 1);
      await scene.until(jobs, "work", ({ status }) => status?.active === 1 && status.terminating === 0);
    },
  },
];

export const failures: Scenario[] = [
  {
    name: "with no patience, the first failure is the end",
    compares,
    events,
    async run(scene) {
      await scene.create(jobs, work({ backoffLimit: 0 }));
      for (const pod of await awaitRunning(scene, 1)) await end(scene, pod, "Failed");
      await scene.until(jobs, "work", has("Failed"));
    },
  },
  {
    name: "those that still run go with it",
    compares,
    events,
    async run(scene) {
      await scene.create(jobs, work({ backoffLimit: 0, parallelism: 2, completions: 2 }));
      const [first] = await awaitRunning(scene, 2);
      if (first !== undefined) await end(scene, first, "Failed");
      await scene.until(jobs, "work", has("Failed"));
    },
  },
  {
    name: "after a failure another is tried, a while later",
    compares,
    events,
    async run(scene) {
      await scene.create(jobs, work({ backoffLimit: 1 }));
      for (const pod of await awaitRunning(scene, 1)) await end(scene, pod, "Failed");
      await scene.until(jobs, "work", ({ status }) => status?.failed === 1);
      for (const pod of await awaitRunning(scene, 1)) await end(scene, pod, "Succeeded");
      await scene.until(jobs, "work", has("Complete"));
    },
  },
  {
    name: "its time is over",
    compares,
    events,
    async run(scene) {
      await scene.create(jobs, work({ activeDeadlineSeconds: 2 }));
      await scene.until(jobs, "work", has("Failed"));
    },
  },
  {
    name: "a policy fails it by an exit code",
    compares,
    async run(scene) {
      const rules = [
        { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] },
        { action: "FailJob", onExitCodes: { operator: "In", values: [42] } },
      ] as NonNullable<JobSpec["podFailurePolicy"]>["rules"];
      await scene.create(jobs, work({ podFailurePolicy: { rules } }));
      for (const pod of await awaitRunning(scene, 1)) await end(scene, pod, "Failed", 42);
      await scene.until(jobs, "work", has("Failed"));
    },
  },
];

export const modes: Scenario[] = [
  {
    name: "each index has its Pod",
    compares,
    events,
    async run(scene) {
      await scene.create(jobs, work({ completionMode: "Indexed", completions: 4, parallelism: 3 }));
      const [first, , third] = (await awaitRunning(scene, 3)).toSorted(byIndex);
      for (const pod of [first, third]) if (pod !== undefined) await end(scene, pod, "Succeeded");
      for (const pod of await awaitRunning(scene, 2)) await end(scene, pod, "Succeeded");
      await scene.until(jobs, "work", has("Complete"));
    },
  },
  {
    name: "suspended from the beginning, then resumed",
    compares,
    events,
    async run(scene) {
      await scene.create(jobs, work({ suspend: true }));
      await scene.until(jobs, "work", has("Suspended"));
      await scene.patch(jobs, "work", { spec: { suspend: false } });
      await scene.until(jobs, "work", isActive(1));
      await scene.until(jobs, "work", has("Suspended", "False"));
    },
  },
  {
    name: "suspended while it runs",
    compares,
    events,
    async run(scene) {
      await scene.create(jobs, work({ parallelism: 2, completions: 2 }));
      await awaitRunning(scene, 2);
      await scene.patch(jobs, "work", { spec: { suspend: true } });
      await scene.until(jobs, "work", has("Suspended"));
      await scene.untilAll(pods, ({ length }) => length === 0);
      await scene.until(jobs, "work", ({ status }) => !status?.active && status?.terminating === 0);
    },
  },
  {
    name: "managed by somebody else, it is left alone",
    compares,
    events,
    async run(scene) {
      await scene.create(jobs, work({ managedBy: "example.org/other" }));
      await scene.create(jobs, { ...work(), metadata: { name: "ours" } });
      await scene.until(jobs, "ours", isActive(1));
    },
  },
];
