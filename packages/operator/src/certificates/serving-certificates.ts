import type { InformerFactory, RestMapper } from "@stowage/kube";
import {
  type ConfigMap,
  configMaps,
  escapeFieldValue,
  type KubernetesObject,
  type ResourceType,
  type Secret,
  secrets,
} from "@stowage/machinery";
import type { KeyPair } from "@stowage/machinery/certificates";
import { type ApplyDeps, applyObject, type LocalSource, localCopies } from "../apply/index.ts";
import type { SyncOutcome } from "../controllers/index.ts";
import type { OperatorResource } from "../operator-client/index.ts";
import {
  type OperatorController,
  type OperatorControllerDeps,
  type OperatorWatch,
  operatorController,
  watching,
} from "../operator-controllers/index.ts";
import { createServiceCaProbe, type ServiceCaProbe } from "./service-ca.ts";
import { type Authority, desiredAuthority, desiredServingPair, nextRenewalMs } from "./serving-plan.ts";
import { type ServingRequest, serviceDnsNames } from "./serving-request.ts";

export interface ServingCertificatesDeps<T extends OperatorResource = OperatorResource>
  extends OperatorControllerDeps<T>,
    Omit<ApplyDeps, "known" | "local" | "mapper"> {
  readonly mapper: Pick<RestMapper, "has" | "resourceFor">;
  readonly informers: Pick<InformerFactory, "informer">;
}

export interface ServingCertificatesSpec {
  /** Of the condition `<name>Degraded` too. */
  readonly name: string;
  /** Of the authority and the bundle. */
  readonly namespace: string;
  /** A Secret in the namespace: the authority with its key. */
  readonly authoritySecret: string;
  /** A ConfigMap in the namespace, with `service-ca.crt` as the service CA would inject it. */
  readonly bundleConfigMap: string;
  /** Each in its own namespace. */
  readonly requests: readonly ServingRequest[];
  /** What else to look at; or to wait for, when several have one authority: see `startingAfter`. */
  readonly watches?: readonly OperatorWatch[];
}

const BUNDLE_KEY = "service-ca.crt";
/** At which a service CA that was installed since is found. */
const RESYNC_MS = 600_000;

/**
 * Issues and renews serving certificates where no service CA does, from an authority of its own; where one does, it touches nothing.
 * Watches: the operator's resource, the Secrets and the ConfigMap that it owns. Writes condition: `<name>Degraded`. On removal they
 * stay: whatever still runs needs them.
 */
export function servingCertificatesController<T extends OperatorResource>(
  deps: ServingCertificatesDeps<T>,
  spec: ServingCertificatesSpec,
): OperatorController {
  const own = ownObjects(deps, spec);
  const work: Work = {
    deps: { ...deps, local: localCopies(own.sources) },
    spec,
    serviceCa: createServiceCaProbe({ ...deps, maximumAgeMs: RESYNC_MS }),
  };
  return operatorController(deps, {
    name: spec.name,
    watches: [...own.watches, ...(spec.watches ?? [])],
    resyncMs: RESYNC_MS,
    sync: ({ signal }) => syncServingCertificates(work, signal),
  });
}

interface Work {
  readonly deps: ServingCertificatesDeps & Pick<ApplyDeps, "local">;
  readonly spec: ServingCertificatesSpec;
  readonly serviceCa: ServiceCaProbe;
}

/** Each followed by name: an operator need not be allowed to read any other Secret. */
function ownObjects({ informers }: Pick<ServingCertificatesDeps, "informers">, spec: ServingCertificatesSpec) {
  const { namespace, authoritySecret, bundleConfigMap, requests } = spec;
  const follow = <O extends KubernetesObject>(type: ResourceType<O>, name: string, where = namespace) => {
    const selection = { namespace: where, fieldSelector: `metadata.name=${escapeFieldValue(name)}` };
    const informer = informers.informer(type, selection);
    const source: LocalSource = { informer, covers: (ref) => ref.namespace === where && ref.name === name };
    return { source, watch: watching(informer) };
  };
  const followed = [
    follow(secrets, authoritySecret),
    ...requests.map((request) => follow(secrets, request.secret, request.namespace)),
    follow(configMaps, bundleConfigMap),
  ];
  return { sources: followed.map(({ source }) => source), watches: followed.map(({ watch }) => watch) };
}

/** First the authority, then those who trust it, then what it signs: at no time is there a certificate that nobody trusts. */
async function syncServingCertificates(work: Work, signal: AbortSignal): Promise<SyncOutcome | void> {
  const { deps, spec, serviceCa } = work;
  if (spec.requests.length === 0 || (await serviceCa.isThere(signal))) return;
  const { namespace } = spec;
  const nowMs = deps.clock.nowMs();
  const authority = await keepAuthority(work, nowMs, signal);
  await applyObject(deps, bundleObject(authority, { namespace, name: spec.bundleConfigMap }), { signal });
  const certificates = [authority.certificate];
  for (const request of spec.requests) {
    const wanted = { authority, dnsNames: serviceDnsNames(request), nowMs };
    const place = { namespace: request.namespace, name: request.secret };
    const decide = (secret: Secret | undefined) => desiredServingPair(pairIn(secret), wanted);
    const pair = await decided(work, { place, decide, differs: (is, was) => is.key !== pairIn(was)?.key }, signal);
    await applyObject(deps, pairObject(pair, place), { signal });
    certificates.push(pair.certificate);
  }
  return { requeueAfterMs: Math.min(Math.max(nextRenewalMs(certificates) - nowMs, 0), RESYNC_MS) };
}

async function keepAuthority(work: Work, nowMs: number, signal: AbortSignal): Promise<Authority> {
  const { namespace, authoritySecret: name } = work.spec;
  const place = { namespace, name };
  const decide = (secret: Secret | undefined) => desiredAuthority(authorityIn(secret), `${name}-signer`, nowMs);
  const authority = await decided(work, { place, decide, differs: (is, was) => is.key !== pairIn(was)?.key }, signal);
  await applyObject(work.deps, authorityObject(authority, place), { signal });
  return authority;
}

interface Decision<D> {
  readonly place: Place;
  decide(secret: Secret | undefined): D;
  differs(decided: D, secret: Secret | undefined): boolean;
}

/** The local copy may not have what was made a moment ago. Before another takes its place, the server is asked. */
async function decided<D>({ deps }: Work, { place, decide, differs }: Decision<D>, signal: AbortSignal): Promise<D> {
  const local = deps.local?.find(secrets, place) as Secret | undefined;
  const first = decide(local);
  if (!differs(first, local)) return first;
  return decide(await deps.client.find(secrets, place, { signal }));
}

interface Place {
  readonly namespace: string;
  readonly name: string;
}

function pairIn(secret: Secret | undefined): KeyPair | undefined {
  if (secret === undefined) return undefined;
  return { certificate: decoded(secret, "tls.crt"), key: decoded(secret, "tls.key") };
}

function authorityIn(secret: Secret | undefined): Authority | undefined {
  const pair = pairIn(secret);
  return pair && secret && { ...pair, bundle: decoded(secret, BUNDLE_KEY) };
}

function decoded({ data }: Secret, key: string): string {
  return Buffer.from(data?.[key] ?? "", "base64").toString();
}

function pairObject({ certificate, key }: KeyPair, metadata: Place): Secret {
  const stringData = { "tls.crt": certificate, "tls.key": key };
  return { apiVersion: "v1", kind: "Secret", metadata, type: "kubernetes.io/tls", stringData };
}

function authorityObject(authority: Authority, place: Place): Secret {
  const object = pairObject(authority, place);
  return { ...object, stringData: { ...object.stringData, [BUNDLE_KEY]: authority.bundle } };
}

function bundleObject({ bundle }: Authority, metadata: Place): ConfigMap {
  return { apiVersion: "v1", kind: "ConfigMap", metadata, data: { [BUNDLE_KEY]: bundle } };
}
