import { createController, isNamespaceTerminating, isNotFound, keyOf } from "@stowage/kube";
import { type ConfigMap, configMaps, namespaces } from "@stowage/machinery";
import { type ControllerDeps, type ControllerPart, queueBackoff } from "../../kit/index.ts";

/** Pods mount it under this name: renaming it breaks all of them. */
const NAME = "kube-root-ca.crt";
const DESCRIPTION_ANNOTATION = "kubernetes.io/description";
const DESCRIPTION =
  "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP " +
  "or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.";

/** The ConfigMap as it has to be; undefined when it is so already. */
export function desiredRootCertificates(present: ConfigMap | undefined, certificate: string): ConfigMap | undefined {
  const { metadata = {}, data = {} } = present ?? {};
  const isDescribed = Boolean(metadata.annotations?.[DESCRIPTION_ANNOTATION]);
  if (isDescribed && data["ca.crt"] === certificate && Object.keys(data).length === 1) return undefined;
  const annotations = { ...metadata.annotations, [DESCRIPTION_ANNOTATION]: DESCRIPTION };
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    ...present,
    metadata: { ...metadata, name: NAME, annotations },
    data: { "ca.crt": certificate },
  };
}

/**
 * Publishes the certificate by which Pods trust the API server.
 *
 * Watches Namespaces and ConfigMaps. Creates the ConfigMap `kube-root-ca.crt` in every namespace and sets it right when somebody has
 * changed it; deletes nothing. Does nothing without a certificate.
 */
export function createRootCertificates(deps: ControllerDeps): ControllerPart {
  const { client, informers, rootCertificate } = deps;
  const name = "root-ca-certificate-publisher-controller";
  if (rootCertificate === undefined) return { name, run: () => Promise.resolve() };
  const maps = informers.informer(configMaps, { fieldSelector: `metadata.name=${NAME}` });
  const controller = createController(deps, {
    name: "root_ca_cert_publisher",
    workers: 1,
    backoff: queueBackoff,
    async sync(namespace) {
      const present = maps.objects.getByKey(keyOf({ namespace, name: NAME }));
      const desired = desiredRootCertificates(present, rootCertificate);
      if (desired === undefined) return;
      if (present !== undefined) return void (await client.update(configMaps, desired));
      const created = { ...desired, metadata: { ...desired.metadata, namespace } };
      await client.create(configMaps, created).catch((error: unknown) => {
        if (!isNotFound(error) && !isNamespaceTerminating(error)) throw error;
      });
    },
  });
  controller.watch(informers.informer(namespaces), ({ metadata, status }) =>
    status?.phase === "Active" ? [metadata.name ?? ""] : [],
  );
  controller.watch(maps, ({ metadata }) => [metadata.namespace ?? ""]);
  return { name, run: (signal) => controller.run(signal) };
}
