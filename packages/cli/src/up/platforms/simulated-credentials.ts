import { createController, createInformer, isAlreadyExists, type KubeClient, refOfKey } from "@stowage/kube";
import {
  type Clock,
  type CredentialsRequest,
  credentialsRequests,
  type Logger,
  namespaces,
  type Secret,
  secrets,
} from "@stowage/machinery";
import type { Simulation } from "./up-platform.ts";

/** On everything that is there only for a simulation. */
export const simulatedAnnotation = { "stowage.dev/simulated": "true" } as const;

export interface SimulatedCredentialsDeps {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly simulation: Pick<Simulation, "credentials" | "credentialsKind">;
  /** Where the simulated cloud is asked. */
  readonly cloudUrl: string;
}

const fieldManager = "stowage-up";

/**
 * In the place of the operator that OpenShift has for it: gives everybody who asks for the simulated cloud's credentials a Secret that is
 * worth nothing, and says that it is there. Works until the signal is aborted.
 */
export async function runSimulatedCredentials(deps: SimulatedCredentialsDeps, signal: AbortSignal): Promise<void> {
  const informer = createInformer({ ...deps, type: credentialsRequests });
  const controller = createController(deps, {
    name: "SimulatedCredentials",
    workers: 1,
    backoff: { initialMs: 100, maximumMs: 10_000 },
    sync: async (key) => {
      const found = informer.objects.get(refOfKey(key));
      if (found !== undefined && isOfCloud(found, deps.simulation)) await grant(deps, found);
    },
  });
  controller.watch(informer);
  await Promise.all([informer.run(signal), controller.run(signal)]);
}

function isOfCloud({ spec }: CredentialsRequest, { credentialsKind }: Pick<Simulation, "credentialsKind">): boolean {
  return spec.providerSpec?.["kind"] === credentialsKind;
}

async function grant(deps: SimulatedCredentialsDeps, request: CredentialsRequest): Promise<void> {
  const { client } = deps;
  const secret = desiredSecret(deps, request);
  const { namespace = "", name = "" } = secret.metadata;
  await ensureNamespace(client, namespace);
  await client.apply(secrets, { ...secret, metadata: { ...secret.metadata, name } }, { fieldManager, force: true });
  const { metadata, status } = request;
  const lastSyncGeneration = metadata.generation ?? 0;
  if (status?.provisioned === true && status.lastSyncGeneration === lastSyncGeneration) return;
  const patch = { status: { provisioned: true, lastSyncGeneration } };
  const place = { namespace: metadata.namespace, name: metadata.name ?? "" };
  await client.patch(credentialsRequests, place, { type: "merge", patch }, { subresource: "status" });
}

function desiredSecret({ simulation, cloudUrl }: SimulatedCredentialsDeps, { spec }: CredentialsRequest): Secret {
  const { namespace, name } = spec.secretRef;
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace, annotations: { ...simulatedAnnotation } },
    data: Object.fromEntries(
      Object.entries(simulation.credentials(cloudUrl)).map(([key, text]) => [
        key,
        Buffer.from(text).toString("base64"),
      ]),
    ),
  };
}

async function ensureNamespace(client: KubeClient, name: string): Promise<void> {
  try {
    await client.create(namespaces, { metadata: { name } }, { fieldManager });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}
