import { rankOf } from "../chain-order.ts";
import type { ContainerLog, Records } from "../records.ts";
import type { Step } from "../step.ts";
import { callerOf } from "./actors.ts";
import { type LogLine, logLinesIn } from "./log-lines.ts";

/** Two of the same method so close to each other are one, as caller and driver saw it. */
const SAME_CALL_MS = 1000;

interface Told {
  readonly log: ContainerLog;
  readonly line: LogLine;
}

/** Calls of the driver with code and duration, and what else sidecars and driver wrote of the volume. */
export function logSteps(records: Records, nowMs: number): readonly Step[] {
  const lines = records.logs.flatMap((log) => logLinesIn(log.text, nowMs).map((line) => ({ log, line })));
  const isAbout = aboutVolume(records, lines);
  const about = lines.filter(({ line }) => isAbout(line));
  const measured = about.flatMap(({ line }) => (line.call?.durationMs === undefined ? [] : [line]));
  const isTwin = ({ call, atMs }: LogLine) =>
    call !== undefined &&
    call.durationMs === undefined &&
    measured.some((other) => other.call?.method === call.method && Math.abs(other.atMs - atMs) < SAME_CALL_MS);
  return about
    .filter(({ line }) => !isTwin(line))
    .map((told) => (told.line.call === undefined ? wordStep(told, records) : callStep(told, records)));
}

/** By the names that a volume has: of the API, and the driver's own, which only the PV or a call with both tells. */
function aboutVolume(records: Records, lines: readonly Told[]): (line: LogLine) => boolean {
  const { volumeName, uid, subject, attachments, snapshots, volume } = records;
  const names = [
    volumeName,
    uid,
    `${subject.namespace}/${subject.name}`,
    ...attachments.map(({ metadata }) => metadata.name ?? ""),
    ...snapshots.map(({ metadata }) => metadata.uid ?? ""),
  ].filter((name) => name !== "");
  const isNamed = ({ raw }: LogLine) => names.some((name) => raw.includes(name));
  const ids = new Set(lines.flatMap(({ line }) => (isNamed(line) ? (line.call?.id ?? []) : [])));
  const handle = volume?.spec?.csi?.volumeHandle;
  if (handle !== undefined) ids.add(handle);
  // Quoted: a driver may count its volumes.
  const quoted = [...ids].flatMap((id) => [JSON.stringify(id), JSON.stringify(JSON.stringify(id)).slice(1, -1)]);
  return (line) => isNamed(line) || quoted.some((id) => line.raw.includes(id));
}

function callStep({ log, line }: Told, { volumeName }: Records): Step {
  const { method = "", code, durationMs } = line.call ?? {};
  const isOfNode = method.startsWith("Node") && log.node !== undefined;
  const failure = code === undefined || code === "OK" ? "" : `: ${line.says.replace(/^CSI call failed: /u, "")}`;
  return {
    ...fromLog(log, line),
    ...(durationMs !== undefined && { durationMs }),
    actor: isOfNode ? `driver ${log.node}` : "driver",
    caller: callerOf(method, log.node),
    kind: "call",
    object: `PersistentVolume ${volumeName}`,
    says: `${method} ${code ?? "was called"}${failure}`,
    ...(code !== undefined && { code }),
    isTrouble: code !== undefined && code !== "OK",
    rank: rankOf(method),
  };
}

function wordStep({ log, line }: Told, { volumeName }: Records): Step {
  return {
    ...fromLog(log, line),
    actor: log.container,
    kind: "log",
    object: `PersistentVolume ${volumeName}`,
    says: line.says,
    isTrouble: line.isTrouble,
    rank: rankOf(""),
  };
}

function fromLog({ namespace, pod, container }: ContainerLog, { atMs }: LogLine) {
  return { atMs, isExact: true, source: `log of Pod ${namespace}/${pod} ${container}` };
}
