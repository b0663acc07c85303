import { createController, isAlreadyExists, isNamespaceTerminating, keyOf } from "@stowage/kube";
import { namespaces, serviceAccounts } from "@stowage/machinery";
import { type ControllerDeps, type ControllerPart, queueBackoff } from "../../kit/index.ts";

/** Pods that name no other run as this one. */
const ACCOUNT = "default";

/**
 * Sees that every namespace has a ServiceAccount `default`.
 *
 * Watches Namespaces, and ServiceAccounts for those that are deleted. Creates what is missing in active namespaces; deletes nothing.
 */
export function createDefaultAccounts(deps: ControllerDeps): ControllerPart {
  const { client, informers } = deps;
  const namespaceCopies = informers.informer(namespaces);
  const accounts = informers.informer(serviceAccounts);
  const controller = createController(deps, {
    name: "serviceaccount",
    workers: 1,
    backoff: queueBackoff,
    async sync(namespace) {
      if (namespaceCopies.objects.getByKey(namespace)?.status?.phase !== "Active") return;
      if (accounts.objects.getByKey(keyOf({ namespace, name: ACCOUNT })) !== undefined) return;
      await client.create(serviceAccounts, { metadata: { namespace, name: ACCOUNT } }).catch((error: unknown) => {
        if (!isAlreadyExists(error) && !isNamespaceTerminating(error)) throw error;
      });
    },
  });
  controller.watch(namespaceCopies);
  accounts.addHandler({ onDelete: ({ metadata }) => controller.queue.add(metadata.namespace ?? "") });
  return { name: "serviceaccount-controller", run: (signal) => controller.run(signal) };
}
