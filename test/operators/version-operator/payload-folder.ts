import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { KubernetesObject } from "@stowage/machinery";

/** Any object, by file name. */
export type PayloadFiles = Readonly<Record<string, LooseObject | string>>;

export type LooseObject = KubernetesObject & Readonly<Record<string, unknown>>;

/** Puts a payload where there may have been another; as whoever brings one must, `release-metadata` last. */
export async function writePayload(directory: string, version: string, files: PayloadFiles): Promise<void> {
  const folder = join(directory, "manifests");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    await writeFile(join(folder, name), text);
  }
  const metadata = { kind: "cincinnati-metadata-v0", version, previous: [] };
  await writeFile(join(directory, "release-metadata"), JSON.stringify(metadata));
}

const manifests = fileURLToPath(new URL("../../../packages/operators/manifests/", import.meta.url));

/** The payload of the storage operator as it is shipped, its definitions first. */
export async function storageFiles(): Promise<Readonly<Record<string, string>>> {
  const read = async (folder: string, prefix: string) => {
    const names = (await readdir(folder)).filter((name) => name.endsWith(".yaml"));
    return Promise.all(names.map(async (name) => [prefix + name, await readFile(join(folder, name), "utf8")] as const));
  };
  const definitions = await read(join(manifests, "crds"), "0000_10_definitions_");
  return Object.fromEntries([...definitions, ...(await read(manifests, ""))]);
}

/** A component with an object of every kind that is treated in its own way. `replicas` 0 is rolled out without a node. */
export function componentFiles(
  name: string,
  version: string,
  { replicas = 0 }: { replicas?: number } = {},
): PayloadFiles {
  const rbac = "rbac.authorization.k8s.io/v1";
  const subjects = [{ kind: "ServiceAccount", name, namespace: name }];
  const labels = { app: name };
  const containers = [{ name: "operator", image: `registry.test/${name}:${version}` }];
  const place = { name, namespace: name };
  return {
    "0000_10_demo_00_namespace.yaml": { apiVersion: "v1", kind: "Namespace", metadata: { name } },
    "0000_20_demo_00_account.yaml": { apiVersion: "v1", kind: "ServiceAccount", metadata: place },
    "0000_20_demo_01_role.yaml": {
      apiVersion: rbac,
      kind: "ClusterRole",
      metadata: { name },
      rules: [{ apiGroups: [""], resources: ["nodes"], verbs: ["get", "list", "watch"] }],
    },
    "0000_20_demo_02_binding.yaml": {
      apiVersion: rbac,
      kind: "ClusterRoleBinding",
      metadata: { name },
      subjects,
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
    },
    "0000_20_demo_04_settings.yaml": {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "settings", namespace: name, annotations: { "release.openshift.io/create-only": "true" } },
      data: { level: "low" },
    },
    "0000_20_demo_05_version.yaml": {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "version", namespace: name },
      data: { version },
    },
    "0000_50_demo_00_deployment.yaml": {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: place,
      spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
    },
    "0000_50_demo_01_operator.yaml": {
      apiVersion: "config.openshift.io/v1",
      kind: "ClusterOperator",
      metadata: { name },
      spec: {},
      status: {
        versions: [{ name: "operator", version }],
        relatedObjects: [{ group: "", resource: "namespaces", name }],
      },
    },
  };
}

/** A definition and an object of it. Apart: the API server keeps whoever makes the first object of a new definition waiting for 2 s. */
export function definitionFiles(name: string): PayloadFiles {
  const group = `${name}.test`;
  const names = { kind: "Widget", listKind: "WidgetList", plural: "widgets", singular: "widget" };
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  return {
    "0000_10_demo_01_definition.yaml": {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `widgets.${group}` },
      spec: { group, names, scope: "Namespaced", versions: [{ name: "v1", served: true, storage: true, schema }] },
    },
    "0000_20_demo_03_widget.yaml": {
      apiVersion: `${group}/v1`,
      kind: "Widget",
      metadata: { name, namespace: name },
      spec: { size: 1 },
    },
  };
}
