import { type CredentialsRequest, cloudCredentials, credentialsRequests, escapeFieldValue } from "@stowage/machinery";
import { type ApplyDeps, applyObject } from "../apply/index.ts";
import { type OptionalInformer, type OptionalInformerDeps, optionalInformer } from "../configuration/index.ts";
import { generationStatus, lastGenerationOf, type OperatorResource } from "../operator-client/index.ts";
import {
  type OperatorController,
  type OperatorControllerDeps,
  type OperatorSyncContext,
  operatorController,
} from "../operator-controllers/index.ts";
import type { CredentialsHook } from "./credentials-hooks.ts";
import { credentialsConditions, type Environment, shouldRequest } from "./credentials-plan.ts";

export interface CredentialsRequestDeps<T extends OperatorResource = OperatorResource>
  extends OperatorControllerDeps<T>,
    Omit<ApplyDeps, "known" | "local" | "mapper"> {
  readonly mapper: ApplyDeps["mapper"] & OptionalInformerDeps["mapper"];
  readonly informers: OptionalInformerDeps["informers"];
  readonly env: Environment;
}

export interface CredentialsRequestControllerSpec {
  /** Of the conditions `<name>Available`, `<name>Progressing` and `<name>Degraded`. */
  readonly name: string;
  readonly request: CredentialsRequest;
  /** Where the Secret is to be. */
  readonly secretNamespace: string;
  readonly hooks?: readonly CredentialsHook[];
}

/**
 * Asks the cluster for the credentials of a driver; where nobody hears such requests, it does nothing and says nothing.
 * Watches: the operator's resource, the CloudCredential, the request. Owns: the request. Writes conditions: `<name>Available`,
 * `<name>Progressing`, as `<name>-CredentialsRequest`. On removal the request stays until the driver is gone: see `createOrderedDeletion`.
 */
export function credentialsRequestController<T extends OperatorResource>(
  deps: CredentialsRequestDeps<T>,
  spec: CredentialsRequestControllerSpec,
): OperatorController {
  const { name = "", namespace } = spec.request.metadata;
  const work: Work = {
    deps,
    spec,
    mode: optionalInformer(deps, {
      type: cloudCredentials,
      selection: { fieldSelector: "metadata.name=cluster" },
    }),
    requests: optionalInformer(deps, {
      type: credentialsRequests,
      selection: { namespace, fieldSelector: `metadata.name=${escapeFieldValue(name)}` },
    }),
  };
  return operatorController(deps, {
    name: spec.name,
    watches: [work.mode, work.requests],
    resyncMs: 60_000,
    sync: (context) => syncRequest(work, context),
  });
}

interface Work {
  readonly deps: CredentialsRequestDeps;
  readonly spec: CredentialsRequestControllerSpec;
  readonly mode: OptionalInformer<Parameters<typeof shouldRequest>[0] & object>;
  readonly requests: OptionalInformer<CredentialsRequest>;
}

async function syncRequest(
  { deps, spec, mode, requests }: Work,
  { operator, signal }: OperatorSyncContext,
): Promise<void> {
  const copies = await requests.objects(signal);
  if (copies === undefined) return;
  const fieldManager = `${spec.name}-CredentialsRequest`;
  const cloudCredential = (await mode.objects(signal))?.get({ name: "cluster" });
  if (!shouldRequest(cloudCredential, spec.request, deps.env)) {
    const conditions = credentialsConditions(spec.name, "skipped");
    await deps.operator.applyStatus(fieldManager, { conditions }, signal);
    return;
  }
  const required = desiredRequest(spec, operator);
  const lastGeneration = lastGenerationOf(operator.status, credentialsRequests, required);
  const local = {
    covers: () => true,
    find: (_type: unknown, ref: Parameters<typeof copies.get>[0]) => copies.get(ref),
  };
  const { object } = await applyObject({ ...deps, local }, required, { lastGeneration, signal });
  const status = {
    conditions: credentialsConditions(spec.name, object),
    generations: [generationStatus(credentialsRequests, object)],
  };
  await deps.operator.applyStatus(fieldManager, status, signal);
}

function desiredRequest(
  { request, secretNamespace, hooks = [] }: CredentialsRequestControllerSpec,
  operator: OperatorResource,
): CredentialsRequest {
  const secretRef = { ...request.spec.secretRef, namespace: secretNamespace };
  const base: CredentialsRequest = { ...request, spec: { ...request.spec, secretRef } };
  return hooks.reduce((each, hook) => hook(each, operator), base);
}
