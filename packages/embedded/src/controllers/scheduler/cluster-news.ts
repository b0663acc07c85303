import { type HandlerRegistration, objectKey } from "@stowage/kube";
import type { Pod } from "@stowage/machinery";
import { isPodFinished } from "../kit/index.ts";
import type { ClusterView } from "./cluster-view.ts";
import { priorityOf } from "./placement.ts";
import { isChanged, mayHelp, type News } from "./queue/news.ts";
import { isWaiting, type Scheduling } from "./scheduling.ts";

/** Keeps the queue up to date: which Pods wait, and what may help those that found no node. */
export function followCluster(s: Scheduling, view: ClusterView): HandlerRegistration[] {
  const tell = (news: News) =>
    s.queue.wake(({ uid, key }, filters) => {
      const pod = s.pods.objects.getByKey(key);
      return pod !== undefined && !s.preempting.has(uid) && mayHelp(news, pod, filters);
    });
  const on = (what: Exclude<News["what"], "node" | "claim">) => () => tell({ what });
  return [
    followPods(s, tell),
    view.nodes.addHandler({
      onAdd: (node) => tell({ what: "node", node }),
      onUpdate: (node, before) => isChanged(node, before) && tell({ what: "node", node }),
    }),
    view.claims.addHandler({
      onAdd: (claim) => tell({ what: "claim", claim }),
      onUpdate: (claim) => tell({ what: "claim", claim }),
    }),
    view.volumes.addHandler({ onAdd: on("volume"), onUpdate: on("volume") }),
    view.classes.addHandler({ onAdd: on("class"), onUpdate: on("class") }),
    view.drivers.addHandler({ onUpdate: on("driver") }),
    view.csiNodes.addHandler({ onAdd: on("node driver"), onUpdate: on("node driver") }),
    view.capacities.addHandler({ onAdd: on("capacity"), onUpdate: on("capacity") }),
    view.attachments.addHandler({ onDelete: on("detached") }),
  ];
}

function followPods(s: Scheduling, tell: (news: News) => void): HandlerRegistration {
  const isThere = (pod: Pod) => (pod.spec?.nodeName ?? "") !== "";
  const learn = (pod: Pod, before?: Pod) => {
    if (isThere(pod)) {
      s.expected.forget(pod);
      s.expected.nominate(pod, "");
      s.queue.remove(pod.metadata.uid ?? "");
      if (isPodFinished(pod)) return before === undefined || isPodFinished(before) || tell({ what: "pod gone" });
      return isNewHere(pod, before) && tell({ what: "pod placed" });
    }
    if (!isWaiting(pod)) return s.queue.remove(pod.metadata.uid ?? "");
    takeNomination(s, pod, before);
    if (isToBeOffered(s, pod, before)) s.queue.offer(waitingOf(pod));
  };
  return s.pods.addHandler({
    onAdd: (pod) => learn(pod),
    onUpdate: (pod, before) => learn(pod, before),
    onDelete(pod) {
      s.expected.forget(pod);
      s.expected.nominate(pod, "");
      s.queue.remove(pod.metadata.uid ?? "");
      if (isThere(pod)) tell({ what: "pod gone" });
    },
  });
}

const waitingOf = (pod: Pod) => ({ uid: pod.metadata.uid ?? "", key: objectKey(pod), priority: priorityOf(pod) });

/** It came to its node, or what others look at in it has changed. */
function isNewHere(pod: Pod, before: Pod | undefined): boolean {
  if (before?.spec?.nodeName !== pod.spec?.nodeName) return true;
  return JSON.stringify(before?.metadata.labels) !== JSON.stringify(pod.metadata.labels);
}

/** What the server says counts, unless it says nothing new: what was promised last may not be written yet. */
function takeNomination(s: Scheduling, pod: Pod, before: Pod | undefined): void {
  const { nominatedNodeName = "" } = pod.status ?? {};
  if (s.expected.isAssumed(pod) || nominatedNodeName === (before?.status?.nominatedNodeName ?? "")) return;
  s.expected.nominate(pod, nominatedNodeName);
}

/** One that is new, or that was changed otherwise than by the scheduler itself. */
function isToBeOffered(s: Scheduling, pod: Pod, before: Pod | undefined): boolean {
  if (s.expected.isAssumed(pod)) return false;
  if (!s.queue.has(pod.metadata.uid ?? "") || before === undefined) return true;
  const partsOf = ({ metadata, spec }: Pod) => JSON.stringify([metadata.labels, metadata.annotations, spec]);
  return partsOf(pod) !== partsOf(before);
}
