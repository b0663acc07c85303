// needs: cli must-gather
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../../../packages/cli/src/main.ts", import.meta.url));
/** Of JavaScript objects: far less than two thousand Pods with everything else would take at once. */
const HEAP_MEBIBYTES = 64;
/** For young ones. As many as V8 takes by itself would leave so little of the above that it did nothing but collect. */
const SEMI_SPACE_MEBIBYTES = 4;
const memoryOptions = `--max-old-space-size=${HEAP_MEBIBYTES} --max-semi-space-size=${SEMI_SPACE_MEBIBYTES}`;

export interface Missing {
  readonly what: string;
  readonly why: string;
}

/** What `stowage must-gather` has left in a folder. */
export interface Gathering {
  readonly exitCode: number | null;
  readonly out: string;
  readonly err: string;
  readonly tookMs: number;
  readonly summary: {
    readonly isComplete: boolean;
    readonly missing: readonly Missing[];
    readonly notes: readonly string[];
    readonly isStrict: boolean;
    readonly parts: readonly { readonly what: string; readonly count: number; readonly tookMs: number }[];
  };
  /** Without the summaries, sorted. */
  readonly files: readonly string[];
  read(path: string): string;
}

export interface GatheringPlace {
  readonly folder: string;
  readonly name: string;
  readonly server: string;
  readonly onStart?: (child: ChildProcess) => void;
}

export async function runGathering(
  { folder, name, server, onStart }: GatheringPlace,
  ...words: readonly string[]
): Promise<Gathering> {
  const kubeconfig = join(folder, `${name}.kubeconfig`);
  const root = join(folder, name);
  writeFileSync(kubeconfig, JSON.stringify(kubeconfigOf(server)));
  const startedMs = performance.now();
  const child = spawn(process.execPath, [main, "must-gather", root, "--kubeconfig", kubeconfig, ...words], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_OPTIONS: memoryOptions },
  });
  onStart?.(child);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [exitCode, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  if (!existsSync(join(root, "summary.json"))) throw new Error(`no summary, exit code ${exitCode}: ${err}`);
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("summary."))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  return {
    exitCode,
    out,
    err,
    tookMs: performance.now() - startedMs,
    summary: JSON.parse(read("summary.json")) as Gathering["summary"],
    files: files.toSorted(),
    read,
  };
}

/** Every value that is in a file, with the file. */
export function leaksIn({ files, read }: Gathering, values: readonly string[]): string[] {
  return [...files, "summary.json", "summary.txt"].flatMap((file) => {
    const content = read(file);
    return values.filter((value) => content.includes(value)).map((value) => `${file}: ${value}`);
  });
}

function kubeconfigOf(server: string) {
  return {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "front",
    clusters: [{ name: "front", cluster: { server } }],
    users: [{ name: "nobody", user: {} }],
    contexts: [{ name: "front", context: { cluster: "front", user: "nobody" } }],
  };
}
