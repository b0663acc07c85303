import { replacePlaceholders } from "../../assets/index.ts";
import { logVerbosity } from "../../operator-client/index.ts";
import type { WorkloadFacts, WorkloadManifestHook } from "./hook-context.ts";

/** The images of a driver and its sidecars, by the names of placeholders and of environment variables alike. */
export const operandImageNames = [
  "DRIVER_IMAGE",
  "PROVISIONER_IMAGE",
  "ATTACHER_IMAGE",
  "RESIZER_IMAGE",
  "SNAPSHOTTER_IMAGE",
  "NODE_DRIVER_REGISTRAR_IMAGE",
  "LIVENESS_PROBE_IMAGE",
  "KUBE_RBAC_PROXY_IMAGE",
  "TOOLS_IMAGE",
] as const;

export interface ImageOptions {
  readonly names?: readonly string[];
  /**
   * `leave`: an asset that has the placeholder is then not sent. `empty`: for the Deployment of another operator, which gets images
   * as environment variables and need not use all of them.
   */
  readonly whenUnset?: "leave" | "empty";
}

/** Images from the operator's environment, which is passed in by whoever composes the operator. */
export function imagesFrom(
  env: Readonly<Record<string, string | undefined>>,
  { names = operandImageNames, whenUnset = "leave" }: ImageOptions = {},
): Record<string, string | undefined> {
  const unset = whenUnset === "empty" ? "" : undefined;
  return Object.fromEntries(names.map((name) => [name, env[name] || unset]));
}

export interface OperandPlaceholders {
  /** See `imagesFrom`. */
  readonly images?: Readonly<Record<string, string | undefined>>;
  readonly facts?: WorkloadFacts;
  /** `NAMESPACE`, `NODE_NAMESPACE`, `RELEASE_VERSION` and whatever else the asset has. */
  readonly values?: Readonly<Record<string, string | undefined>>;
}

/** WithPlaceholders: images, `CLUSTER_ID`, `LOG_LEVEL` and further values. What has no value is left for later hooks. */
export function withOperandPlaceholders({
  images = {},
  facts,
  values = {},
}: OperandPlaceholders): WorkloadManifestHook {
  return async (text, { operator, signal }) =>
    replacePlaceholders(text, {
      CLUSTER_ID: (await facts?.current(signal))?.clusterId,
      LOG_LEVEL: String(logVerbosity(operator.spec?.logLevel)),
      ...images,
      ...values,
    });
}
