import { VolumeCapability_AccessMode_Mode as Mode } from "@stowage/csi";
import {
  type CSINode,
  type CSIPersistentVolumeSource,
  csiNodes,
  type PersistentVolume,
  persistentVolumes,
  type VolumeAttachment,
  volumeAttachments,
} from "@stowage/machinery";
import {
  type AttacherOptions,
  attacherDefaults,
  attacherRules,
  attacherSecretRules,
  createAttacher,
} from "@stowage/sidecars";
import { expect, vi } from "vitest";
import { countingClient } from "./request-counter.ts";
import { type BenchOptions, type SidecarBench, startSidecarBench } from "./sidecar-bench.ts";

export const NODE_ID_ANNOTATION = "csi.alpha.kubernetes.io/node-id";

/** Impatient, so that what goes wrong does so soon. */
export const hasty: AttacherOptions = {
  ...attacherDefaults,
  timeoutMs: 400,
  retryInitialMs: 50,
  retryMaximumMs: 400,
};

const soon = { timeout: 60_000, interval: 50 };

/** An attacher with the objects that it works on. All names begin with the bench's namespace. */
export interface AttacherBench extends AsyncDisposable {
  readonly bench: SidecarBench;
  /** What the attacher asked of the API server, reads of its caches aside. */
  readonly requests: string[];
  readonly finalizer: string;
  makeVolume(name: string, csi?: Partial<CSIPersistentVolumeSource>): Promise<PersistentVolume>;
  /** As kubelet does when the driver registers. */
  registerNode(name: string): Promise<CSINode>;
  /** As the attach-detach controller of Kubernetes does for a Pod. */
  attach(volume: string, node: string): Promise<VolumeAttachment>;
  /** Once the attacher's caches have the volume and the node, so that it finds both at its first look. */
  knows(volume: string, node?: string): Promise<void>;
  createAttachment(name: string, spec: Partial<VolumeAttachment["spec"]>): Promise<VolumeAttachment>;
  find(attachment: VolumeAttachment): Promise<VolumeAttachment | undefined>;
  attached(attachment: VolumeAttachment): Promise<VolumeAttachment>;
  /** Once the error says so: an earlier one may be about what the attacher's caches did not have yet. */
  attachFailed(attachment: VolumeAttachment, message: string): Promise<VolumeAttachment>;
  deleteAndWait(attachment: VolumeAttachment): Promise<void>;
  /** The nodes that the driver has the volume attached to. */
  nodesOf(volume: string): string[];
}

export async function startAttacherBench(
  options: Omit<BenchOptions, "sidecars" | "rules"> & { readonly attacher?: Partial<AttacherOptions> } = {},
): Promise<AttacherBench> {
  const requests: string[] = [];
  const bench = await startSidecarBench({
    ...options,
    rules: [attacherRules, attacherSecretRules],
    sidecars: (deps) =>
      createAttacher({ ...deps, client: countingClient(deps.client, requests) }, { ...hasty, ...options.attacher }),
  });
  const { client, namespace, driverName } = bench;
  const named = (name: string) => `${namespace}-${name}`;
  const find = ({ metadata: { name = "" } }: VolumeAttachment) => client.find(volumeAttachments, { name });
  const createAttachment: AttacherBench["createAttachment"] = (name, spec) => {
    const given = { attacher: driverName, nodeName: named("node"), source: {}, ...spec };
    return client.create(volumeAttachments, { metadata: { name: named(name) }, spec: given });
  };
  const waitFor = (attachment: VolumeAttachment, expected: object) =>
    vi.waitFor(async () => {
      const found = await find(attachment);
      expect(found).toMatchObject(expected);
      return found as VolumeAttachment;
    }, soon);
  return {
    bench,
    requests,
    finalizer: `external-attacher/${driverName.replaceAll(".", "-")}`,
    async makeVolume(name, csi = {}) {
      const { volume } = await bench.deps.csi.controller.createVolume({
        name: named(name),
        volumeCapabilities: [
          { accessMode: { mode: Mode.MULTI_NODE_MULTI_WRITER }, accessType: { case: "mount", value: {} } },
        ],
      });
      const source = { driver: driverName, volumeHandle: volume?.volumeId ?? "", ...csi };
      return client.create(persistentVolumes, {
        metadata: { name: named(name) },
        // A class of its own, so that Kubernetes binds no other test's claim to it.
        spec: {
          accessModes: ["ReadWriteOnce"],
          capacity: { storage: "1Gi" },
          storageClassName: driverName,
          csi: source,
        },
      });
    },
    registerNode: (name) =>
      client.create(csiNodes, {
        metadata: { name: named(name) },
        spec: { drivers: [{ name: driverName, nodeID: `id-of-${name}` }] },
      }),
    async knows(volume, node) {
      const { informers } = bench.deps;
      await vi.waitFor(() => {
        expect(informers.informer(persistentVolumes).objects.getByKey(named(volume))).toBeDefined();
        if (node !== undefined) expect(informers.informer(csiNodes).objects.getByKey(named(node))).toBeDefined();
      }, soon);
    },
    createAttachment,
    attach: (volume, node) =>
      createAttachment(`${volume}-${node}`, {
        nodeName: named(node),
        source: { persistentVolumeName: named(volume) },
      }),
    find,
    attached: (attachment) => waitFor(attachment, { status: { attached: true } }),
    attachFailed: (attachment, message) =>
      waitFor(attachment, { status: { attachError: { message: expect.stringContaining(message) as string } } }),
    async deleteAndWait(attachment) {
      await client.delete(volumeAttachments, { name: attachment.metadata.name ?? "" });
      await vi.waitFor(async () => expect(await find(attachment)).toBeUndefined(), soon);
    },
    nodesOf(volume) {
      const found = bench.driver.state().volumes.find(({ name }) => name === named(volume));
      return Object.keys(found?.attachments ?? {});
    },
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  };
}
