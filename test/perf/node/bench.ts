import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Bars } from "../sidecars/bars.ts";
import { PodLoad } from "./pod-load.ts";
import {
  type Memory,
  type NodeSubject,
  type SubjectName,
  startEmbeddedNode,
  startParts,
  startRealNode,
} from "./subject.ts";

const MAXIMUM_RSS_SHARE = 1 / 2;
const MIB = 1024 ** 2;
const CALM_MS = 15_000;

interface NodeFigures {
  /** From creation to running, with a mounted volume, one Pod after the other. */
  readonly aloneMs: readonly number[];
  /** The same of all that are created at once. */
  readonly togetherMs: readonly number[];
  /** With as many Pods as are kept. */
  readonly rssBytes: number;
}

/**
 * The embedded controllers and node, as processes of their own and all in one, beside real controllers, a real kubelet and containerd, in
 * turns: the same Pods, the same driver.
 */
export async function benchNode(benchArguments: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...benchArguments],
    options: {
      alone: { type: "string", default: "30" },
      together: { type: "string", default: "50" },
      kept: { type: "string", default: "100" },
      only: { type: "string" },
    },
  });
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort(new Error("the bench was interrupted"));
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  const counts = { alone: Number(values.alone), together: Number(values.together), kept: Number(values.kept) };
  console.log(`${counts.alone} Pods one by one, ${counts.together} at once, memory with ${counts.kept}`);
  const starts: Record<SubjectName, () => Promise<NodeSubject>> = {
    real: () => startRealNode(interrupted.signal),
    parts: () => startParts(interrupted.signal),
    embedded: startEmbeddedNode,
  };
  const figures: Partial<Record<SubjectName, NodeFigures>> = {};
  const only = values.only?.split(",");
  for (const name of ["real", "parts", "embedded"] as const) {
    if (only !== undefined && !only.includes(name)) continue;
    await using subject = await starts[name]();
    figures[name] = await measure(subject, counts);
  }
  const { real } = figures;
  const bars = new Bars();
  for (const name of ["parts", "embedded"] as const) {
    const ours = figures[name];
    // With `--only` there may be nothing to compare, so nothing is judged.
    if (real !== undefined && ours !== undefined) judge(bars, name, { ours, real });
  }
  if (!bars.areMet) console.error(`missed: ${bars.missed.join("; ")}`);
  return bars.areMet;
}

interface Counts {
  readonly alone: number;
  readonly together: number;
  readonly kept: number;
}

async function measure(subject: NodeSubject, counts: Counts): Promise<NodeFigures> {
  const folder = await mkdtemp(join(tmpdir(), "stowage-bench-node-"));
  try {
    await using load = await PodLoad.open(subject, folder);
    const names = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
    const [first, alone, together] = [["first"], names("alone", counts.alone), names("together", counts.together)];
    await load.makeVolumes([...first, ...alone, ...together]);
    // What runs for the first time is compiled, or read from the disk.
    await load.start(first, 1);
    const aloneMs = await load.start(alone, 1);
    await load.remove([...first, ...alone]);
    const togetherMs = await load.start(together, together.length);
    const further = names("kept", Math.max(0, counts.kept - counts.together));
    await load.makeVolumes(further);
    await load.start(further, 10);
    await calm();
    const [memory, beside] = [await subject.memory(), await subject.memoryBeside()];
    await load.remove([...together, ...further]);
    const figures = { aloneMs, togetherMs, rssBytes: Object.values(memory).reduce((sum, bytes) => sum + bytes, 0) };
    console.log(`${subject.name}: ${figureText(figures)} (${memoryText(memory)}; beside: ${memoryText(beside)})`);
    return figures;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a burst leaves behind is given back when a process has been idle for a while, theirs and ours. */
async function calm(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, CALM_MS));
}

function judge(bars: Bars, name: SubjectName, { ours, real }: Readonly<Record<"ours" | "real", NodeFigures>>): void {
  for (const [what, figure] of [
    ["one Pod after the other", "aloneMs"],
    ["all at once", "togetherMs"],
  ] as const) {
    for (const share of [0.5, 0.99]) {
      const bar = Math.round(percentile(real[figure], share));
      const took = Math.round(percentile(ours[figure], share));
      bars.atMost(`${name}: ms to running, ${what}, p${share * 100}`, took, bar);
    }
  }
  // The one process has the API server in it.
  if (name === "embedded") return;
  const bar = Math.round((real.rssBytes * MAXIMUM_RSS_SHARE) / MIB);
  bars.atMost(`${name}: MiB of RSS with all Pods`, Math.round(ours.rssBytes / MIB), bar);
}

function memoryText(memory: Memory): string {
  return Object.entries(memory)
    .map(([part, bytes]) => `${part} ${(bytes / MIB).toFixed(0)} MiB`)
    .join(", ");
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function figureText({ aloneMs, togetherMs, rssBytes }: NodeFigures): string {
  const both = (values: readonly number[]) =>
    `p50 ${percentile(values, 0.5).toFixed(0)} ms, p99 ${percentile(values, 0.99).toFixed(0)} ms`;
  return `alone ${both(aloneMs)}; at once ${both(togetherMs)}; RSS ${(rssBytes / MIB).toFixed(0)} MiB`;
}
