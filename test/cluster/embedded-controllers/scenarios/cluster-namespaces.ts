import {
  configMaps,
  isConditionTrue,
  type Namespace,
  namespaces,
  pods,
  secrets,
  serviceAccounts,
} from "@stowage/machinery";
import { map, note, pod } from "../cluster-objects.ts";
import type { Scenario, Scene } from "../scenario.ts";

const nameOf = ({ id }: Scene) => `second-${id}`;
const release = { type: "merge", patch: { metadata: { finalizers: null } } } as const;

/** A namespace beside that of the scenario, and with all that every one has. */
async function second(scene: Scene): Promise<string> {
  const namespace = nameOf(scene);
  await scene.create(namespaces, { metadata: { name: namespace } });
  await scene.until(namespaces, namespace, ({ status }) => status?.phase === "Active");
  return namespace;
}

const says = (type: string) => (namespace: Namespace) => isConditionTrue(namespace.status?.conditions, type);

export const deletion: Scenario[] = [
  {
    name: "a namespace goes with all that is in it",
    compares: [namespaces],
    async run(scene) {
      const namespace = await second(scene);
      await scene.client.create(configMaps, { metadata: { name: "a", namespace } });
      await scene.client.create(secrets, { metadata: { name: "b", namespace } });
      await scene.remove(namespaces, namespace);
      await scene.untilGone(namespaces, namespace);
    },
  },
  {
    name: "what has a finalizer keeps its namespace, which says so",
    compares: [namespaces, configMaps],
    async run(scene) {
      const namespace = await second(scene);
      for (const name of ["a", "b"]) {
        await scene.client.create(configMaps, { metadata: { name, namespace, finalizers: ["example.org/kept"] } });
      }
      await scene.client.create(secrets, { metadata: { name: "c", namespace, finalizers: ["example.org/other"] } });
      await scene.remove(namespaces, namespace);
      const kept = await scene.until(namespaces, namespace, says("NamespaceFinalizersRemaining"));
      await note(scene, "status", [kept.status, kept.spec]);
      for (const name of ["a", "b"]) await scene.client.patch(configMaps, { namespace, name }, release);
      await scene.client.patch(secrets, { namespace, name: "c" }, release);
      await scene.untilGone(namespaces, namespace);
    },
  },
  {
    name: "as long as a Pod is left nothing else goes",
    compares: [namespaces, configMaps],
    async run(scene) {
      const namespace = await second(scene);
      const { metadata, spec } = pod("web", { terminationGracePeriodSeconds: 1 });
      await scene.client.create(serviceAccounts, { metadata: { name: "default", namespace } }).catch(() => {});
      await scene.client.create(pods, { metadata: { ...metadata, namespace, finalizers: ["example.org/kept"] }, spec });
      await scene.client.create(configMaps, { metadata: { name: "a", namespace } });
      await scene.remove(namespaces, namespace);
      const kept = await scene.until(namespaces, namespace, ({ status }) => status?.conditions?.length === 5);
      const left = await scene.client.find(configMaps, { namespace, name: "a" });
      await note(scene, "status", [kept.status, left?.metadata.deletionTimestamp === undefined]);
      await scene.client.patch(pods, { namespace, name: "web" }, release);
      await scene.untilGone(namespaces, namespace);
    },
  },
];

export const everyNamespace: Scenario[] = [
  {
    name: "every namespace has an account and the root certificate, which come back",
    compares: [serviceAccounts, configMaps],
    async run(scene) {
      await scene.until(configMaps, "kube-root-ca.crt", () => true);
      await scene.remove(serviceAccounts, "default");
      await scene.remove(configMaps, "kube-root-ca.crt");
      await scene.until(serviceAccounts, "default", () => true);
      await scene.until(configMaps, "kube-root-ca.crt", () => true);
    },
  },
  {
    name: "a root certificate that somebody changed is set right",
    compares: [configMaps],
    async run(scene) {
      await scene.until(configMaps, "kube-root-ca.crt", () => true);
      const data = { "ca.crt": "none", more: "x" };
      await scene.patch(configMaps, "kube-root-ca.crt", { data, metadata: { labels: { kept: "yes" } } });
      await scene.until(configMaps, "kube-root-ca.crt", (each) => each.data?.["more"] === undefined);
      await scene.create(configMaps, map("other"));
    },
  },
];
