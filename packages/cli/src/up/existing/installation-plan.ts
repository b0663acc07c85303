import { isForbidden, isNotFound, isUnauthorized, type KubeClient, type RestMapper } from "@stowage/kube";
import { hasErrorCode, type KubernetesObject, namespaces, type ResourceType, StowageError } from "@stowage/machinery";
import { applyObject, typeOf } from "../installation.ts";
import { type Difference, objectDifferences } from "./object-differences.ts";

export interface PlanDeps {
  readonly client: KubeClient;
  readonly mapper: RestMapper;
}

/** What an installation would do to an object. */
export interface PlannedObject {
  readonly change: "create" | "change" | "keep";
  readonly object: KubernetesObject;
  /** Of one that is changed. */
  readonly differences: readonly Difference[];
}

export interface InstallationPlan {
  /** By this command. */
  readonly own: readonly PlannedObject[];
  /** By the version operator, from the payload. */
  readonly payload: readonly PlannedObject[];
}

/** Asks the server what would be done, and does none of it. Throws UP_FORBIDDEN when it would not be allowed. */
export async function planInstallation(
  deps: PlanDeps,
  own: readonly KubernetesObject[],
  payload: readonly KubernetesObject[],
): Promise<InstallationPlan> {
  const { client } = deps;
  try {
    const planned: PlannedObject[] = [];
    for (const object of own) planned.push(await plannedObject(client, object, typeOf(object)));
    return { own: planned, payload: await plannedPayload(deps, payload) };
  } catch (error) {
    if (!isForbidden(error) && !isUnauthorized(error)) throw error;
    throw new StowageError("UP_FORBIDDEN", `${client.server} does not let this user install anything`, {
      cause: error,
    });
  }
}

/** One after the other: a plan is not worth a hundred connections. What is in a namespace that is not there need not be asked for. */
async function plannedPayload(deps: PlanDeps, payload: readonly KubernetesObject[]): Promise<PlannedObject[]> {
  const { client } = deps;
  const found = new Set((await client.list(namespaces)).items.map(({ metadata }) => metadata.name));
  const planned: PlannedObject[] = [];
  for (const object of payload) {
    const { namespace } = object.metadata;
    const canBeThere = namespace === undefined || found.has(namespace);
    planned.push(canBeThere ? await plannedManifest(deps, object) : created(object));
  }
  return planned;
}

/** Of a kind that the server does not have yet, the payload brings the definition. */
async function plannedManifest({ client, mapper }: PlanDeps, object: KubernetesObject): Promise<PlannedObject> {
  const type = await servedType(mapper, object);
  const isThere = type !== undefined && (await client.find(type, refOf(object))) !== undefined;
  return isThere ? plannedObject(client, object, type) : created(object);
}

/** The server says what would come of it: whether it is allowed shows even for an object that is not there. */
async function plannedObject(client: KubeClient, object: KubernetesObject, type: ResourceType): Promise<PlannedObject> {
  const before = await client.find<KubernetesObject>(type, refOf(object));
  const after = await wouldBe(client, object, type);
  if (before === undefined || after === undefined) return created(object);
  const differences = objectDifferences(before, after);
  return { change: differences.length > 0 ? "change" : "keep", object, differences };
}

/** Undefined while the namespace is not there, which comes first. */
async function wouldBe(
  client: KubeClient,
  object: KubernetesObject,
  type: ResourceType,
): Promise<KubernetesObject | undefined> {
  try {
    return await applyObject(client, object, { dryRun: true, type });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function created(object: KubernetesObject): PlannedObject {
  return { change: "create", object, differences: [] };
}

async function servedType(mapper: RestMapper, { apiVersion, kind }: KubernetesObject) {
  const [version = "", group = ""] = apiVersion.split("/").toReversed();
  try {
    return await mapper.resourceFor({ group, version, kind });
  } catch (error) {
    if (hasErrorCode(error, "KIND_NOT_SERVED")) return undefined;
    throw error;
  }
}

function refOf({ metadata: { name = "", namespace } }: KubernetesObject): { name: string; namespace?: string } {
  return namespace === undefined ? { name } : { name, namespace };
}
