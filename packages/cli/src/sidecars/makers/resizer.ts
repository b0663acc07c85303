import type { KubeClient } from "@stowage/kube";
import { apiVersionOf, volumeAttributesClasses } from "@stowage/machinery";
import { createResizer, readOwnNode, resizerLease, type SidecarDeps } from "@stowage/sidecars";
import { resizerFlags } from "../flags/resizer.ts";
import { defineSidecarMaker, type SidecarPlace } from "../sidecar-maker.ts";
import { callLimits } from "./call-limits.ts";

export const resizerMaker = defineSidecarMaker(resizerFlags, {
  lease: resizerLease,
  create: async (deps, options, place) =>
    createResizer(deps, {
      ...callLimits({ timeout: options.timeout, workers: options.workers }, place),
      resyncMs: options.resyncPeriod,
      handlesVolumesInUse: options.handleVolumeInuseError,
      hasExtraModifyMetadata: options.extraModifyMetadata,
      modifiesVolumes: await servesAttributesClasses(deps.client),
      nodeSegments: options.nodeDeployment ? await ownSegments(deps, place) : undefined,
    }),
});

async function ownSegments({ csi }: SidecarDeps, { nodeName = "" }: SidecarPlace) {
  return (await readOwnNode(csi, nodeName)).segments;
}

/** Servers before 1.34 do not have them; the watch of a resource that is not there would fail for ever. */
async function servesAttributesClasses(client: KubeClient): Promise<boolean> {
  const path = `/apis/${apiVersionOf(volumeAttributesClasses)}`;
  const { resources = [] } = await client.getPath<{ resources?: { name: string }[] }>(path);
  return resources.some(({ name }) => name === volumeAttributesClasses.plural);
}
