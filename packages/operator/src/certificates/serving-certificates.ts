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
import { type ApplyDeps, applyObject, createObject, type LocalSource, localCopies } from "../apply/index.ts";
import type { SyncOutcome } from "../controllers/index.ts";
import type { OperatorResource } from "../operator-client/index.ts";
import {
  type OperatorController,
  type OperatorControllerDeps,
  type OperatorControllerSpec,
  type OperatorSyncContext,
  type OperatorWatch,
  operatorController,
  type RemovalProgress,
  removable,
  watching,
} from "../operator-controllers/index.ts";
import { createOrderedDeletion, type StaticRemoval } from "../static-resources/index.ts";
import { createServiceCaProbe, SERVICE_CA_AGE_MS, type ServiceCaProbe } from "./service-ca.ts";
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
  /** Where several controllers ask, one asks for all. */
  readonly serviceCa?: ServiceCaProbe;
  /** How they go when the operand does; they stay when left out, for whatever still runs. */
  readonly removal?: StaticRemoval;
}

const BUNDLE_KEY = "service-ca.crt";
const RESYNC_MS = SERVICE_CA_AGE_MS;

/**
 * Issues and renews serving certificates where no service CA does, from an authority of its own; where one does, it touches nothing.
 * Watches: the operator's resource, the Secrets and the ConfigMap that it owns. Writes condition: `<name>Degraded`. Deletes: all of them,
 * on removal where it is told to.
 */
export function servingCertificatesController<T extends OperatorResource>(
  deps: ServingCertificatesDeps<T>,
  spec: ServingCertificatesSpec,
): OperatorController {
  const own = ownObjects(deps, spec);
  const work: Work = {
    deps: { ...deps, local: localCopies(own.sources) },
    spec,
    serviceCa: spec.serviceCa ?? createServiceCaProbe(deps),
  };
  const controller: OperatorControllerSpec<T> = {
    name: spec.name,
    watches: [...own.watches, ...(spec.watches ?? [])],
    resyncMs: RESYNC_MS,
    sync: ({ signal }) => syncServingCertificates(work, signal),
  };
  const { removal } = spec;
  if (removal === undefined) return operatorController(deps, controller);
  const deletion = createOrderedDeletion(work.deps);
  const remove = async ({ signal }: OperatorSyncContext<T>): Promise<RemovalProgress> =>
    removal.isBlocked() ? "waiting" : deletion(ownIdentities(spec), signal);
  const { finalizer } = removal;
  return operatorController(deps, removable(controller, { operator: deps.operator, finalizer, remove }));
}

/** A service CA's Secrets go with the Services that they are for; deleting them a moment earlier harms nobody by then. */
function ownIdentities({ namespace, authoritySecret, bundleConfigMap, requests }: ServingCertificatesSpec) {
  const identity = (kind: string, metadata: Place): KubernetesObject => ({ apiVersion: "v1", kind, metadata });
  return [
    ...requests.map((request) => identity("Secret", { namespace: request.namespace, name: request.secret })),
    identity("ConfigMap", { namespace, name: bundleConfigMap }),
    identity("Secret", { namespace, name: authoritySecret }),
  ];
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
    const pair = await keepPair(deps, { place, decide, objectOf: pairObject }, signal);
    certificates.push(pair.certificate);
  }
  return { requeueAfterMs: Math.min(Math.max(nextRenewalMs(certificates) - nowMs, 0), RESYNC_MS) };
}

async function keepAuthority(work: Work, nowMs: number, signal: AbortSignal): Promise<Authority> {
  const { namespace, authoritySecret: name } = work.spec;
  const place = { namespace, name };
  const decide = (secret: Secret | undefined) => desiredAuthority(authorityIn(secret), `${name}-signer`, nowMs);
  return keepPair(work.deps, { place, decide, objectOf: authorityObject }, signal);
}

interface KeptPair<P extends KeyPair> {
  readonly place: Place;
  decide(secret: Secret | undefined): P;
  objectOf(pair: P, place: Place): Secret;
}

/**
 * The local copy may not have what was made a moment ago: what it lacks is created, which nothing that is there comes to harm by, and
 * before another takes the place of what it has, the server is asked.
 */
async function keepPair<P extends KeyPair>(
  deps: Work["deps"],
  { place, decide, objectOf }: KeptPair<P>,
  signal: AbortSignal,
): Promise<P> {
  const local = deps.local?.find(secrets, place) as Secret | undefined;
  let pair = decide(local);
  if (local === undefined && (await createObject(deps, objectOf(pair, place), { signal }))) return pair;
  if (pair.key !== pairIn(local)?.key) pair = decide(await deps.client.find(secrets, place, { signal }));
  await applyObject(deps, objectOf(pair, place), { signal });
  return pair;
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
