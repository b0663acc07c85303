import { type ConfigMap, type KeyToPath, type Secret, StowageError } from "@stowage/machinery";

export interface PayloadFile {
  readonly bytes: Uint8Array;
  readonly mode: number;
  /** Whose it is; whoever writes it when left out. */
  readonly owner?: number;
}

/** Files of a volume by their paths in it. */
export type FilePayload = ReadonlyMap<string, PayloadFile>;

export interface PayloadWish {
  readonly items: readonly KeyToPath[] | undefined;
  readonly defaultMode: number;
  /** What is not there is left out. */
  readonly isOptional: boolean;
}

export function configMapPayload(configMap: ConfigMap | undefined, name: string, wish: PayloadWish): FilePayload {
  if (configMap === undefined && !wish.isOptional) throw missing(`configmap "${name}" not found`);
  const { data = {}, binaryData = {} } = configMap ?? {};
  const texts = Object.entries(data).map(([key, text]) => [key, Buffer.from(text)] as const);
  const bytes = Object.entries(binaryData).map(([key, base64]) => [key, Buffer.from(base64, "base64")] as const);
  return projected(
    new Map([...texts, ...bytes]),
    wish,
    (key) => `configmap references non-existent config key: ${key}`,
  );
}

export function secretPayload(secret: Secret | undefined, name: string, wish: PayloadWish): FilePayload {
  if (secret === undefined && !wish.isOptional) throw missing(`secret "${name}" not found`);
  const entries = Object.entries(secret?.data ?? {});
  const bytes = new Map(entries.map(([key, base64]) => [key, Buffer.from(base64, "base64")] as const));
  return projected(bytes, wish, (key) => `references non-existent secret key: ${key}`);
}

function projected(
  contents: ReadonlyMap<string, Uint8Array>,
  { items = [], defaultMode, isOptional }: PayloadWish,
  notThere: (key: string) => string,
): FilePayload {
  const files = new Map<string, PayloadFile>();
  if (items.length === 0) {
    for (const [key, bytes] of contents) files.set(key, { bytes, mode: defaultMode });
    return files;
  }
  for (const { key, path, mode = defaultMode } of items) {
    const bytes = contents.get(key);
    if (bytes !== undefined) files.set(path, { bytes, mode });
    else if (!isOptional) throw missing(notThere(key));
  }
  return files;
}

function missing(message: string): StowageError {
  return new StowageError("VOLUME_SOURCE_MISSING", message);
}
