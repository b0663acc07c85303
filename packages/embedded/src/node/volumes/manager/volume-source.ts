import type { KubeClient } from "@stowage/kube";
import { type Pod, StowageError, type Volume } from "@stowage/machinery";
import type { HostView } from "../../host-view/index.ts";
import { checkVolumeMode, claimOf, readBoundClaim } from "../claims/bound-claim.ts";
import { usedVolumes } from "../claims/pod-volume-names.ts";
import { boundVolume, type CsiVolume, inlineVolume } from "../csi/csi-volume.ts";
import type { HostVolume } from "../host-volume.ts";
import { hostPathVolume } from "../plain/host-path.ts";

/** Whether it takes a claim or a driver to say what the volume is. */
export function isIndirect({ persistentVolumeClaim, ephemeral, csi }: Volume): boolean {
  return persistentVolumeClaim !== undefined || ephemeral !== undefined || csi !== undefined;
}

/** What a volume of a Pod is: a driver's, or something that is on the machine already. */
export type VolumeSource =
  | { readonly kind: "driver"; readonly volume: CsiVolume }
  | { readonly kind: "machine"; readonly volume: HostVolume };

export interface SourceDeps {
  readonly client: KubeClient;
  readonly hostView?: HostView;
}

/** Reads what the volume is. Throws in kubelet's words when it cannot be had now. */
export async function readVolumeSource(
  { client, hostView }: SourceDeps,
  pod: Pod,
  podVolume: Volume,
): Promise<VolumeSource> {
  const inline = inlineVolume(pod, podVolume);
  if (inline !== undefined) return { kind: "driver", volume: inline };
  const bound = await readBoundClaim(client, pod, podVolume);
  checkVolumeMode(podVolume.name, bound.volume, usedVolumes(pod));
  const isReadOnly = claimOf(pod, podVolume)?.isReadOnly ?? false;
  const volume = boundVolume(podVolume.name, bound, isReadOnly);
  if (volume !== undefined) return { kind: "driver", volume };
  const { hostPath, local } = bound.volume.spec ?? {};
  const source = hostPath ?? (local && { path: local.path, type: "Directory" });
  if (source !== undefined) {
    const found = hostPathVolume(source, hostView?.onMachine(source.path));
    return { kind: "machine", volume: withReadOnly(found, isReadOnly) };
  }
  const name = bound.volume.metadata.name ?? "";
  const message = `failed to get Plugin from volumeSpec for volume "${name}" err=no volume plugin matched`;
  throw new StowageError("VOLUME_NOT_MOUNTED", message);
}

function withReadOnly(volume: HostVolume, isReadOnly: boolean): HostVolume {
  return volume.kind === "device" ? volume : { ...volume, isReadOnly };
}
