import type { ConfigMap, Secret } from "@stowage/machinery";
import { withDependencyHashes } from "../../apply/index.ts";
import type { Workload } from "./hook-context.ts";

/**
 * WithSecretHashAnnotation and WithConfigMapHashAnnotation: Pods restart when one of these objects changes, appears or goes. Asked at
 * each sync, so whoever gives them has to watch them too.
 */
export function withDependencies(objects: () => readonly (Secret | ConfigMap | undefined)[]) {
  return <W extends Workload>(workload: W): W =>
    withDependencyHashes(
      workload,
      objects().filter((object) => object !== undefined),
    );
}
