import { apiServers } from "@stowage/machinery";
import {
  type OperatorWatch,
  type OptionalInformerDeps,
  observedServingInfo,
  optionalInformer,
} from "@stowage/operator";
import { clusterObjectName } from "./names.ts";

export type TlsSettings = ReturnType<typeof observedServingInfo>;

/** The cluster's TLS profile, for whoever serves something. */
export interface TlsSettingsSource extends OperatorWatch {
  /** The intermediate profile where nobody has chosen one, and where nobody can. */
  current(signal: AbortSignal): Promise<TlsSettings>;
}

/** Watches: the APIServer where there is one. */
export function tlsSettingsSource(deps: OptionalInformerDeps): TlsSettingsSource {
  const selection = { fieldSelector: `metadata.name=${clusterObjectName}` };
  const informer = optionalInformer(deps, { type: apiServers, selection });
  return {
    feed: (controller) => informer.feed(controller),
    waitForSync: (signal) => informer.waitForSync(signal),
    current: async (signal) => observedServingInfo((await informer.objects(signal))?.get({ name: clusterObjectName })),
  };
}

/** What an operator's `config.yaml` holds; operators that are built on library-go read it. */
export function operatorConfigText({ minTLSVersion, cipherSuites }: TlsSettings): string {
  return [
    "apiVersion: operator.openshift.io/v1alpha1",
    "kind: GenericOperatorConfig",
    "servingInfo:",
    ...(cipherSuites.length === 0 ? [] : ["  cipherSuites:", ...cipherSuites.map((suite) => `  - ${suite}`)]),
    `  minTLSVersion: ${minTLSVersion}`,
    "",
  ].join("\n");
}
