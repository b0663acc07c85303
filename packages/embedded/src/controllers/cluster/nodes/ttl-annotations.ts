import { createController } from "@stowage/kube";
import { nodes } from "@stowage/machinery";
import { type ControllerDeps, type ControllerPart, queueBackoff } from "../../kit/index.ts";

const ANNOTATION = "node.alpha.kubernetes.io/ttl";

/** For how many nodes how long kubelets may keep what they have read. The steps overlap, so that none is crossed to and fro. */
const steps = [
  { from: 0, to: 100, seconds: 0 },
  { from: 90, to: 500, seconds: 15 },
  { from: 450, to: 1_000, seconds: 30 },
  { from: 900, to: 2_000, seconds: 60 },
  { from: 1_800, to: Number.POSITIVE_INFINITY, seconds: 300 },
] as const;

/** The step for so many nodes, coming from another. */
export function ttlStep(before: number, nodeCount: number): number {
  let step = before;
  while (nodeCount > (steps[step]?.to ?? 0)) step++;
  while (nodeCount < (steps[step]?.from ?? 0)) step--;
  return step;
}

/**
 * Tells kubelets how long they may keep Secrets and ConfigMaps before they ask again.
 *
 * Watches Nodes, and writes their annotation `node.alpha.kubernetes.io/ttl`; the more nodes there are, the longer.
 */
export function createTtlAnnotations(deps: ControllerDeps): ControllerPart {
  const { client } = deps;
  const copies = deps.informers.informer(nodes);
  let step = 0;
  const controller = createController(deps, {
    name: "ttlcontroller",
    workers: 5,
    backoff: queueBackoff,
    async sync(name) {
      const node = copies.objects.getByKey(name);
      if (node === undefined) return;
      step = ttlStep(step, copies.objects.size);
      const wanted = String(steps[step]?.seconds ?? 0);
      if (node.metadata.annotations?.[ANNOTATION] === wanted) return;
      const patch = { metadata: { annotations: { [ANNOTATION]: wanted } } };
      await client.patch(nodes, { name }, { type: "strategic", patch });
    },
  });
  controller.watch(copies);
  return { name: "ttl-controller", run: (signal) => controller.run(signal) };
}
