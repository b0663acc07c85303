import type { InformerFactory, KubeClient } from "@stowage/kube";
import { infrastructures, type Node, namespaces, nodes } from "@stowage/machinery";
import { type OperatorWatch, watching } from "../operator-controllers/index.ts";
import { type ClusterFacts, clusterFactsOf, isControlPlaneNode } from "./cluster-facts.ts";
import { type OptionalInformerDeps, optionalInformer } from "./optional-informer.ts";

export interface ClusterFactsDeps extends OptionalInformerDeps {
  readonly client: Pick<KubeClient, "get">;
  readonly informers: Pick<InformerFactory, "informer">;
}

/** Watches whatever the facts come from: a controller that watches it syncs when they may have changed. */
export interface ClusterFactsSource extends OperatorWatch {
  current(signal: AbortSignal): Promise<ClusterFacts>;
}

/** Watches: Infrastructure where there is one, and of each node its labels and its provider's name for it. */
export function clusterFactsSource({ client, mapper, informers }: ClusterFactsDeps): ClusterFactsSource {
  const infrastructure = optionalInformer(
    { mapper, informers },
    { type: infrastructures, selection: { fieldSelector: "metadata.name=cluster" } },
  );
  const nodeInformer = informers.informer(nodes, { transform: trimNode });
  const parts = [infrastructure, watching(nodeInformer, { isNews: isNodeNews })];
  let clusterUid: Promise<string> | undefined;
  const readClusterUid = async (signal: AbortSignal) => {
    const { metadata } = await client.get(namespaces, { name: "kube-system" }, { signal });
    return metadata.uid ?? "";
  };
  return {
    feed(controller) {
      for (const part of parts) part.feed(controller);
    },
    async waitForSync(signal) {
      await Promise.all(parts.map((part) => part.waitForSync(signal)));
    },
    async current(signal) {
      const found = (await infrastructure.objects(signal))?.get({ name: "cluster" });
      const isNamed = Boolean(found?.status?.infrastructureName);
      if (!isNamed) {
        clusterUid ??= readClusterUid(signal);
        // The next to ask tries again.
        clusterUid.catch(() => (clusterUid = undefined));
      }
      return clusterFactsOf({
        infrastructure: found,
        nodes: nodeInformer.objects.list(),
        clusterUid: isNamed ? "" : ((await clusterUid) ?? ""),
      });
    },
  };
}

/** Nodes are large, and report themselves often. */
function trimNode({ apiVersion, kind, metadata, spec }: Node): Node {
  const { name, uid, labels, resourceVersion } = metadata;
  return { apiVersion, kind, metadata: { name, uid, labels, resourceVersion }, spec: { providerID: spec?.providerID } };
}

function isNodeNews(node: Node, previous: Node): boolean {
  return (
    node.spec?.providerID !== previous.spec?.providerID || isControlPlaneNode(node) !== isControlPlaneNode(previous)
  );
}
