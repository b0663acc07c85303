import type { KubeClient } from "@stowage/kube";
import { configMaps, type PodTemplateSpec, secrets, type VolumeProjection } from "@stowage/machinery";

interface Mounted {
  readonly kind: "Secret" | "ConfigMap";
  readonly name: string;
  readonly keys: readonly string[];
}

/** Without which a kubelet does not start the Pod: `Secret name`, `key of Secret name`. */
export async function missingMounts(
  client: KubeClient,
  namespace: string,
  template: PodTemplateSpec,
): Promise<string[]> {
  const missing = await Promise.all(
    mountsOf(template).map(async ({ kind, name, keys }) => {
      const ref = { namespace, name };
      const found = kind === "Secret" ? await client.find(secrets, ref) : await client.find(configMaps, ref);
      if (found === undefined) return [`${kind} ${name}`];
      return keys.filter((key) => !(key in (found.data ?? {}))).map((key) => `${key} of ${kind} ${name}`);
    }),
  );
  return missing.flat();
}

function mountsOf({ spec }: PodTemplateSpec): Mounted[] {
  const sources = (spec?.volumes ?? []).flatMap(({ secret, configMap, projected }): VolumeProjection[] => [
    { secret: secret && { ...secret, name: secret.secretName ?? "" }, configMap },
    ...(projected?.sources ?? []),
  ]);
  return sources.flatMap(({ secret, configMap }) => [
    ...(secret === undefined || secret.optional ? [] : [mounted("Secret", secret)]),
    ...(configMap === undefined || configMap.optional ? [] : [mounted("ConfigMap", configMap)]),
  ]);
}

function mounted(
  kind: Mounted["kind"],
  { name = "", items = [] }: { readonly name?: string; readonly items?: readonly { readonly key: string }[] },
): Mounted {
  return { kind, name, keys: items.map(({ key }) => key) };
}
