import { attacherLease, createAttacher } from "@stowage/sidecars";
import { attacherFlags } from "../flags/attacher.ts";
import { defineSidecarMaker } from "../sidecar-maker.ts";
import { callLimits } from "./call-limits.ts";

export const attacherMaker = defineSidecarMaker(attacherFlags, {
  lease: attacherLease,
  create: (deps, options, place) =>
    createAttacher(deps, {
      ...callLimits({ timeout: options.timeout, workers: options.workerThreads }, place),
      resyncMs: options.resync,
      reconcileMs: options.reconcileSync,
      maxEntries: options.maxEntries,
      defaultFsType: options.defaultFstype,
    }),
});
