import type { Volume } from "@stowage/machinery";

/** What a volume's files are made of, beside the Pod itself. */
export interface ReferredObjects {
  readonly configMaps: readonly string[];
  readonly secrets: readonly string[];
  /** Its files say something of the Pod. */
  readonly isOfPod: boolean;
}

export function referredObjects({ configMap, secret, downwardAPI, projected }: Volume): ReferredObjects {
  const parts = projected?.sources ?? [];
  const configMaps = [configMap?.name, ...parts.map((part) => part.configMap?.name)];
  const secrets = [secret?.secretName, ...parts.map((part) => part.secret?.name)];
  return {
    configMaps: named(configMaps),
    secrets: named(secrets),
    isOfPod: downwardAPI !== undefined || parts.some((part) => part.downwardAPI !== undefined),
  };
}

function named(names: readonly (string | undefined)[]): string[] {
  return [...new Set(names.filter((name) => name !== undefined && name !== ""))] as string[];
}
