import type { IndexFunction } from "@stowage/kube";
import type { PersistentVolumeClaim } from "@stowage/machinery";
import { uidOf } from "./requests/index.ts";

/** An index of the shared copy of claims: whoever adds it again must give the same function. */
export const claimsByUid: { readonly name: string; readonly valuesOf: IndexFunction<PersistentVolumeClaim> } = {
  name: "uid",
  valuesOf: (claim) => [uidOf(claim)],
};
