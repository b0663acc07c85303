import { setTimeout as sleep } from "node:timers/promises";
import { type KubernetesObject, nodes, pods, type ResourceType } from "@stowage/machinery";
import { hasTaint, makeNodes, sayCondition } from "../cluster-nodes.ts";
import { pod } from "../cluster-objects.ts";
import type { Scenario, Scene } from "../scenario.ts";
import { untilTold } from "../storage-objects.ts";

/** Twice as long as others have: nodes are given most of a minute. */
async function untilAtLast<T extends KubernetesObject>(
  scene: Scene,
  type: ResourceType<T>,
  name: string,
  isWanted: (object: T) => boolean | undefined,
): Promise<void> {
  await scene.until(type, name, isWanted).catch(() => scene.until(type, name, isWanted));
}

export const lostNodes: Scenario[] = [
  {
    name: "a node that says nothing any more is lost",
    compares: [nodes, pods],
    events: ["Node", "Pod"],
    async run(scene) {
      const name = await makeNodes(scene);
      const { metadata, spec } = pod("web", { nodeName: name });
      await scene.runPod(await scene.create(pods, { metadata, spec }));
      const isOver = new AbortController();
      const others = keepAlive(scene, `other-${scene.id}`, isOver.signal);
      // What goes wrong with it is told in the end.
      others.catch(() => {});
      try {
        await untilAtLast(scene, nodes, name, hasTaint("unreachable", "NoExecute"));
        await scene.until(nodes, name, hasTaint("unreachable", "NoSchedule"));
        await untilTold(scene, "NodeNotReady", 2);
      } finally {
        isOver.abort();
        await others;
      }
    },
  },
  {
    name: "Pods of a node that is gone are given up",
    compares: [pods],
    async run(scene) {
      const { metadata, spec } = pod("web", { nodeName: `gone-${scene.id}` });
      await scene.create(pods, { metadata: { ...metadata, finalizers: ["example.org/kept"] }, spec });
      await untilAtLast(scene, pods, "web", ({ status }) => status?.phase === "Failed");
    },
  },
];

/** A node that is ready, and goes on saying so. */
async function keepAlive(scene: Scene, name: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sayCondition(scene, name, "Ready", "True");
    await sleep(5_000, undefined, { signal }).catch(() => {});
  }
}
