import {
  type ConfigMap,
  type DownwardAPIVolumeFile,
  type Pod,
  type ProjectedVolumeSource,
  type Secret,
  StowageError,
  type Volume,
} from "@stowage/machinery";
import { containerResource } from "../../pods/values/container-resources.ts";
import { podField } from "../../pods/values/pod-fields.ts";
import { configMapPayload, type FilePayload, type PayloadFile, secretPayload } from "../files/file-payload.ts";
import type { TokenWish } from "../files/pod-tokens.ts";

/** What files are made of. Undefined: there is no such object. */
export interface FileSources {
  configMap(name: string): Promise<ConfigMap | undefined>;
  secret(name: string): Promise<Secret | undefined>;
  token(wish: TokenWish): Promise<string>;
  /** What the node has to give. */
  readonly allocatable: Readonly<Record<string, string>>;
}

const USUAL_MODE = 0o644;
const TOKEN_SECONDS = 3600;
/** For whom the token is, and nobody else. The group that a Pod's files are given to may read it then. */
const OWN_TOKEN_MODE = 0o600;

/** The files of a volume that is made of objects; undefined for any other volume. */
export async function volumeFiles(sources: FileSources, pod: Pod, volume: Volume): Promise<FilePayload | undefined> {
  const { configMap, secret, downwardAPI, projected } = volume;
  if (configMap !== undefined) return configMapFiles(sources, { ...configMap, mode: configMap.defaultMode });
  if (secret !== undefined) {
    return secretFiles(sources, { ...secret, name: secret.secretName, mode: secret.defaultMode });
  }
  if (downwardAPI !== undefined) {
    return fieldFiles(sources, pod, downwardAPI.items ?? [], downwardAPI.defaultMode ?? USUAL_MODE);
  }
  return projected === undefined ? undefined : projectedFiles(sources, pod, projected);
}

interface ObjectSource {
  readonly name?: string | undefined;
  readonly items?: NonNullable<Volume["configMap"]>["items"];
  readonly optional?: boolean | undefined;
  readonly mode: number | undefined;
}

async function configMapFiles(sources: FileSources, source: ObjectSource): Promise<FilePayload> {
  const { name = "" } = source;
  return configMapPayload(await sources.configMap(name), name, wishOf(source));
}

async function secretFiles(sources: FileSources, source: ObjectSource): Promise<FilePayload> {
  const { name = "" } = source;
  return secretPayload(await sources.secret(name), name, wishOf(source));
}

function wishOf({ items, optional, mode }: ObjectSource) {
  return { items, isOptional: optional ?? false, defaultMode: mode ?? USUAL_MODE };
}

async function fieldFiles(
  sources: FileSources,
  pod: Pod,
  items: readonly DownwardAPIVolumeFile[],
  defaultMode: number,
): Promise<FilePayload> {
  const files = items.map((item) => async () => fieldFile(sources, pod, item, defaultMode));
  return new Map((await allOrWhyNot(files)) satisfies [string, PayloadFile][]);
}

function fieldFile(
  { allocatable }: FileSources,
  pod: Pod,
  { path, mode, fieldRef, resourceFieldRef }: DownwardAPIVolumeFile,
  defaultMode: number,
): [string, PayloadFile] {
  const text =
    resourceFieldRef === undefined
      ? podField(pod, fieldRef?.fieldPath ?? "")
      : containerResource(pod, resourceFieldRef, { allocatable });
  if (text !== undefined) return [path, { bytes: Buffer.from(text), mode: mode ?? defaultMode }];
  const message =
    resourceFieldRef === undefined
      ? `unsupported fieldPath: ${fieldRef?.fieldPath}`
      : `unsupported container resource : ${resourceFieldRef.resource}`;
  throw new StowageError("VOLUME_SOURCE_MISSING", message);
}

type Part = NonNullable<ProjectedVolumeSource["sources"]>[number];

/** Where two sources have the same path, the later wins. */
async function projectedFiles(sources: FileSources, pod: Pod, projected: ProjectedVolumeSource): Promise<FilePayload> {
  const { defaultMode: mode = USUAL_MODE, sources: parts = [] } = projected;
  const payloads = await allOrWhyNot(parts.map((part) => () => partFiles(sources, pod, part, mode)));
  return new Map(payloads.flatMap((payload) => [...payload]));
}

async function partFiles(sources: FileSources, pod: Pod, part: Part, mode: number): Promise<FilePayload> {
  const { configMap, secret, downwardAPI, serviceAccountToken: token } = part;
  if (configMap !== undefined) return configMapFiles(sources, { ...configMap, mode });
  if (secret !== undefined) return secretFiles(sources, { ...secret, mode });
  if (downwardAPI !== undefined) return fieldFiles(sources, pod, downwardAPI.items ?? [], mode);
  if (token !== undefined) return tokenFile(sources, pod, token, mode);
  const what = Object.keys(part).join(", ");
  throw new StowageError("VOLUME_SOURCE_MISSING", `this node cannot project ${what}`);
}

async function tokenFile(
  sources: FileSources,
  pod: Pod,
  { audience, expirationSeconds = TOKEN_SECONDS, path }: NonNullable<Part["serviceAccountToken"]>,
  mode: number,
): Promise<FilePayload> {
  const token = await sources.token({ audience, expirationSeconds });
  const owner = commonUser(pod);
  const isOwn = owner !== undefined || pod.spec?.securityContext?.fsGroup !== undefined;
  const file = {
    bytes: Buffer.from(token),
    mode: isOwn ? OWN_TOKEN_MODE : mode,
    ...(owner !== undefined && { owner }),
  };
  return new Map([[path, file]]);
}

/** Who all containers of a Pod run as, when it says so and it is the same for all. */
function commonUser({ spec }: Pod): number | undefined {
  const all = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
  const users = new Set(
    all.map(({ securityContext }) => securityContext?.runAsUser ?? spec?.securityContext?.runAsUser),
  );
  return users.size === 1 ? [...users][0] : undefined;
}

/** All that is missing is told at once, in the form in which Kubernetes puts several errors together. */
async function allOrWhyNot<T>(attempts: readonly (() => Promise<T>)[]): Promise<T[]> {
  const found: T[] = [];
  const errors: unknown[] = [];
  for (const attempt of attempts) {
    try {
      found.push(await attempt());
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length === 0) return found;
  if (errors.length === 1) throw errors[0];
  const messages = new Set(errors.map((error) => (error instanceof Error ? error.message : String(error))));
  const [first = ""] = messages;
  const message = messages.size === 1 ? first : `[${[...messages].join(", ")}]`;
  throw new StowageError("VOLUME_SOURCE_MISSING", message, { cause: errors[0] });
}
