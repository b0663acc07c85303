import { type APIServer, apiServers } from "@stowage/machinery";
import {
  type HostedControlPlaneSource,
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
  /** Of what operators serve themselves: see `operatorServingInfo`. */
  ofOperators(signal: AbortSignal): Promise<TlsSettings>;
}

/** Watches: the APIServer where there is one. */
export function tlsSettingsSource(deps: OptionalInformerDeps): TlsSettingsSource {
  const selection = { fieldSelector: `metadata.name=${clusterObjectName}` };
  const informer = optionalInformer(deps, { type: apiServers, selection });
  const apiServer = async (signal: AbortSignal) => (await informer.objects(signal))?.get({ name: clusterObjectName });
  return {
    feed: (controller) => informer.feed(controller),
    waitForSync: (signal) => informer.waitForSync(signal),
    current: async (signal) => observedServingInfo(await apiServer(signal)),
    ofOperators: async (signal) => operatorServingInfo(await apiServer(signal)),
  };
}

/** Of a hosted control plane: that of the guest, as the HostedControlPlane has it. */
export function hostedTlsSettings(hosted: HostedControlPlaneSource): TlsSettingsSource {
  const apiServer = async (signal: AbortSignal): Promise<APIServer> => {
    const { spec } = await hosted.current(signal);
    const metadata = { name: clusterObjectName };
    return {
      apiVersion: "config.openshift.io/v1",
      kind: "APIServer",
      metadata,
      spec: spec?.configuration?.apiServer ?? {},
    };
  };
  return {
    feed: (controller) => hosted.feed(controller),
    waitForSync: (signal) => hosted.waitForSync(signal),
    current: async (signal) => observedServingInfo(await apiServer(signal)),
    ofOperators: async (signal) => operatorServingInfo(await apiServer(signal)),
  };
}

/**
 * Operators are not among those that always followed the cluster's profile: the metrics of one have the intermediate profile, unless
 * `tlsAdherence` asks everybody to follow. A value of a later version counts as the stricter one.
 */
export function operatorServingInfo(apiServer: APIServer | undefined): TlsSettings {
  const adherence: string = apiServer?.spec.tlsAdherence ?? "";
  const isFree = adherence === "" || adherence === "LegacyAdheringComponentsOnly";
  return observedServingInfo(isFree ? undefined : apiServer);
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
