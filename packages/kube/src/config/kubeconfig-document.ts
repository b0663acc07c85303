import { StowageError } from "@stowage/machinery";
import { CORE_SCHEMA, FAILSAFE_SCHEMA, loadAll, mergeTag, nullCoreTag, Schema, YAMLException } from "js-yaml";
import { DocumentNode } from "./document-node.ts";
import type { ClusterEntry, ContextEntry, ExecEntry, Kubeconfig, UserEntry } from "./kubeconfig.ts";

/** Scalars stay the text they are in the file: a token such as 0123 or 1e5 must not become a number on the way. */
const textSchema = new Schema([...FAILSAFE_SCHEMA.tags, nullCoreTag, mergeTag]);

const execExtensionName = "client.authentication.k8s.io/exec";

/** Understands the text of one kubeconfig file; complaints name the file and the entry. */
export function parseKubeconfig(text: string, file: string): Kubeconfig {
  const root = new DocumentNode(file, "", parseYaml(text, file, textSchema));
  const kind = root.string("kind");
  if (kind !== undefined && kind !== "Config") {
    throw root.invalid("kind", `is ${kind}, but a kubeconfig has kind Config`);
  }
  const execExtensions = readExecExtensions(text, file);
  return {
    currentContext: root.string("current-context"),
    clusters: namedEntries(root, "clusters", "cluster", (node, name) => readCluster(node, execExtensions.get(name))),
    users: namedEntries(root, "users", "user", readUser),
    contexts: namedEntries(root, "contexts", "context", readContext),
  };
}

function parseYaml(text: string, file: string, schema: Schema): unknown {
  const documents = loadDocuments(text, file, schema);
  if (documents.length > 1) {
    throw new StowageError(
      "KUBECONFIG_INVALID",
      `${file} holds ${documents.length} YAML documents; a kubeconfig is one.`,
    );
  }
  return documents[0];
}

function loadDocuments(text: string, file: string, schema: Schema): unknown[] {
  try {
    return loadAll(text, { schema });
  } catch (error) {
    if (!(error instanceof YAMLException)) {
      throw error;
    }
    // The exception is no cause of ours: it quotes the lines around the mistake, which may hold a token or a key.
    const position = error.mark === undefined ? "" : `, line ${error.mark.line + 1}, column ${error.mark.column + 1}`;
    throw new StowageError("KUBECONFIG_INVALID", `${file} is not YAML: ${error.reason}${position}.`);
  }
}

function namedEntries<T>(
  root: DocumentNode,
  list: string,
  field: string,
  read: (node: DocumentNode, name: string) => T,
): Map<string, T> {
  const entries = new Map<string, T>();
  for (const item of root.list(list)) {
    const name = item.string("name");
    if (name === undefined) {
      throw item.invalid("name", "is missing");
    }
    if (entries.has(name)) {
      throw item.invalid("name", `is "${name}", which an earlier entry of ${list} has already`);
    }
    entries.set(name, read(item.map(field) ?? new DocumentNode(item.file, `${item.path}.${field}`, {}), name));
  }
  return entries;
}

function readContext(node: DocumentNode): ContextEntry {
  return {
    file: node.file,
    cluster: node.string("cluster"),
    user: node.string("user"),
    namespace: node.string("namespace"),
  };
}

function readCluster(node: DocumentNode, execExtension: unknown): ClusterEntry {
  return {
    file: node.file,
    server: node.string("server"),
    tlsServerName: node.string("tls-server-name"),
    insecureSkipTlsVerify: node.boolean("insecure-skip-tls-verify"),
    certificateAuthority: node.string("certificate-authority"),
    certificateAuthorityData: node.string("certificate-authority-data"),
    proxyUrl: node.string("proxy-url"),
    disableCompression: node.boolean("disable-compression"),
    execExtension: execExtension,
  };
}

function readUser(node: DocumentNode): UserEntry {
  const provider = node.map("auth-provider");
  const exec = node.map("exec");
  return {
    file: node.file,
    clientCertificate: node.string("client-certificate"),
    clientCertificateData: node.string("client-certificate-data"),
    clientKey: node.string("client-key"),
    clientKeyData: node.string("client-key-data"),
    token: node.string("token"),
    tokenFile: node.string("tokenFile"),
    username: node.string("username"),
    password: node.string("password"),
    impersonate: node.string("as"),
    impersonateUid: node.string("as-uid"),
    impersonateGroups: node.strings("as-groups"),
    impersonateExtra: readExtra(node.map("as-user-extra")),
    authProvider: provider && (provider.string("name") ?? "unnamed"),
    exec: exec && readExec(exec),
  };
}

function readExtra(node: DocumentNode | undefined): Record<string, string[]> {
  return Object.fromEntries((node?.keys() ?? []).map((key) => [key, node?.strings(key) ?? []]));
}

function readExec(node: DocumentNode): ExecEntry {
  return {
    apiVersion: node.string("apiVersion"),
    command: node.string("command"),
    args: node.strings("args"),
    env: node.list("env").map((item) => {
      const name = item.string("name");
      if (name === undefined) {
        throw item.invalid("name", "is missing");
      }
      return { name, value: item.string("value") ?? "" };
    }),
    interactiveMode: node.string("interactiveMode"),
    installHint: node.string("installHint"),
    provideClusterInfo: node.boolean("provideClusterInfo"),
  };
}

/** Extensions are handed on as JSON, so they are read apart, with numbers and booleans as such. */
function readExecExtensions(text: string, file: string): Map<string, unknown> {
  const found = new Map<string, unknown>();
  if (!text.includes(execExtensionName)) {
    return found;
  }
  const document = parseYaml(text, file, CORE_SCHEMA) as { clusters?: RawCluster[] };
  for (const entry of document.clusters ?? []) {
    const extensions = entry.cluster?.extensions;
    const match = Array.isArray(extensions) ? extensions.find((item) => item?.name === execExtensionName) : undefined;
    if (match) {
      found.set(String(entry.name), match.extension);
    }
  }
  return found;
}

interface RawCluster {
  name: unknown;
  cluster?: { extensions?: ({ name?: unknown; extension?: unknown } | null)[] };
}
