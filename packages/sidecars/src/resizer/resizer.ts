import type { Informer } from "@stowage/kube";
import type { PersistentVolumeClaim } from "@stowage/machinery";
import { type Controller, createController } from "@stowage/operator";
import {
  latestObjects,
  persistentVolumeCache,
  persistentVolumeClaimCache,
  volumeAttributesClassCache,
} from "../caches/index.ts";
import type { Sidecar, SidecarDeps } from "../sidecar.ts";
import { isExpansionNews, isModificationNews } from "./claim-news.ts";
import { ClaimUsers } from "./claim-users.ts";
import { type Expanding, expandClaim } from "./expansion.ts";
import { modifyClaim } from "./modification.ts";
import type { ResizerOptions } from "./options.ts";
import type { Resizing } from "./resizing.ts";
import { SlowRetries } from "./slow-retries.ts";

/** The index of claims by the class that they want. */
const claimsByClass = {
  name: "resizer/volumeAttributesClass",
  valuesOf: ({ spec }: PersistentVolumeClaim): readonly string[] =>
    spec?.volumeAttributesClassName ? [spec.volumeAttributesClassName] : [],
} as const;

/**
 * Expands volumes whose claims ask for more, and gives volumes the VolumeAttributesClass that their claims name.
 *
 * Watches PersistentVolumeClaims, PersistentVolumes and VolumeAttributesClasses; Pods of a namespace only while a claim there waits
 * for them. Writes the status of PersistentVolumeClaims with two of their annotations, and of PersistentVolumes the capacity, the
 * class and an annotation. Deletes nothing. Without a capability of the driver, that part does nothing.
 */
export function createResizer(deps: SidecarDeps, options: ResizerOptions): Sidecar {
  const claimCache = persistentVolumeClaimCache(deps.informers);
  const resizing: Resizing = {
    ...deps,
    options,
    claims: latestObjects(claimCache),
    volumes: latestObjects(persistentVolumeCache(deps.informers)),
  };
  const canModify = options.modifiesVolumes && deps.driver.controller.has("MODIFY_VOLUME");
  const modifier = canModify ? modificationController(deps, resizing, claimCache) : undefined;
  const expander = expansionController(deps, resizing, claimCache);
  return {
    name: "resizer",
    async run(signal) {
      const where = await whereExpanded(deps);
      if (where === "nowhere") deps.logger.info({ driver: deps.driver.name }, "the driver cannot expand volumes");
      await Promise.all([
        where === "nowhere" ? expander.ignore() : expander.run({ isNodeOnly: where === "node" }, signal),
        modifier?.run(signal),
      ]);
    },
  };
}

/** Drivers whose controller does nothing to expand a volume are not asked; kubelet asks them on the node. */
async function whereExpanded({ driver, csi }: SidecarDeps): Promise<"controller" | "node" | "nowhere"> {
  if (driver.controller.has("EXPAND_VOLUME")) return "controller";
  return (await csi.nodeCapabilities()).has("EXPAND_VOLUME") ? "node" : "nowhere";
}

interface Expander {
  run(facts: Pick<Expanding, "isNodeOnly">, signal: AbortSignal): Promise<void>;
  ignore(): void;
}

function expansionController(deps: SidecarDeps, resizing: Resizing, claims: Informer<PersistentVolumeClaim>): Expander {
  let isNodeOnly = false;
  const onFree = (key: string) => controller.queue.add(key);
  const users = resizing.options.handlesVolumesInUse ? new ClaimUsers({ ...deps, onFree }) : undefined;
  const slow = new SlowRetries(deps.clock, resizing.options.retryMaximumMs);
  const memory = { failed: new Set<string>(), slow, users };
  const controller: Controller = createController(
    { ...deps, metrics: deps.queues },
    {
      ...limitsOf(deps, resizing.options),
      sync: (key, { signal }) => expandClaim({ ...resizing, ...memory, isNodeOnly }, key, signal),
    },
  );
  controller.watch(claims, undefined, { isNews: isExpansionNews });
  return {
    async run(facts, signal) {
      ({ isNodeOnly } = facts);
      await controller.run(signal);
      await users?.stop();
    },
    ignore: () => controller.queue.close(),
  };
}

function modificationController(
  deps: SidecarDeps,
  resizing: Resizing,
  claims: Informer<PersistentVolumeClaim>,
): Controller {
  const classes = volumeAttributesClassCache(deps.informers);
  const slow = new SlowRetries(deps.clock, resizing.options.retryMaximumMs);
  const findClass = (name: string) => classes.objects.get({ name });
  const modifying = { ...resizing, failed: new Set<string>(), slow, findClass };
  const controller = createController(
    { ...deps, metrics: deps.queues },
    { ...limitsOf(deps, resizing.options), sync: (key, { signal }) => modifyClaim(modifying, key, signal) },
  );
  controller.watch(claims, undefined, { isNews: isModificationNews });
  claims.addIndex(claimsByClass.name, claimsByClass.valuesOf);
  // A claim may wait for nothing but its class.
  controller.watch(classes, ({ metadata: { name = "" } }) =>
    claims.objects.byIndex(claimsByClass.name, name).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
  );
  return controller;
}

/** Both queues have one name, as in the original: dashboards rely on it. */
function limitsOf({ driver }: SidecarDeps, { workers, retryInitialMs, retryMaximumMs, resyncMs }: ResizerOptions) {
  const backoff = { initialMs: retryInitialMs, maximumMs: retryMaximumMs };
  return { name: `${driver.name}-pvc`, workers, resyncMs, backoff };
}
