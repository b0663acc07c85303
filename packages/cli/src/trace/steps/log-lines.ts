/** A line of a container's log that says when it was written. */
export interface LogLine {
  readonly atMs: number;
  readonly says: string;
  readonly isTrouble: boolean;
  /** Of a line that tells of a call to the driver. */
  readonly call?: LoggedCall;
  /** All of it, to look for names in. */
  readonly raw: string;
}

export interface LoggedCall {
  /** `CreateVolume` */
  readonly method: string;
  /** Known once it was answered. */
  readonly code?: string;
  readonly durationMs?: number;
  /** The driver's own name of the volume or snapshot. */
  readonly id?: string;
}

/** Our own lines are JSON, those of the original sidecars are klog's; others say nothing of their time. */
export function logLinesIn(text: string, nowMs: number): readonly LogLine[] {
  const lines = text.split("\n").flatMap((raw) => {
    const line = raw.startsWith("{") ? jsonLine(raw) : klogLine(raw, nowMs);
    return line === undefined ? [] : [line];
  });
  return lines.flatMap((line, index) => joinedCall(line, lines[index - 1]));
}

/** Older sidecars write the method in one line and what it is about in the next; the answer repeats the names. */
function joinedCall(line: LogLine, before: LogLine | undefined): readonly LogLine[] {
  if (/^"?GRPC (?:response|error)/u.test(line.says)) return [];
  if (!line.says.startsWith("GRPC request")) return [line];
  return before?.call === undefined ? [] : [{ ...line, call: before.call }];
}

interface JsonFields {
  readonly time?: unknown;
  readonly level?: unknown;
  readonly msg?: unknown;
  readonly method?: unknown;
  readonly code?: unknown;
  readonly durationMs?: unknown;
  readonly message?: unknown;
  /** By the driver, of the call that made something. */
  readonly made?: unknown;
  readonly request?: { readonly volume_id?: unknown };
  readonly error?: { readonly message?: unknown };
}

/** Of pino's numbers. */
const WARNING = 40;

function jsonLine(raw: string): LogLine | undefined {
  const fields = parsed(raw);
  const atMs = Date.parse(text(fields?.time));
  if (fields === undefined || Number.isNaN(atMs)) return undefined;
  const why = text(fields.message) || text(fields.error?.message);
  const call = jsonCall(fields);
  return {
    atMs: atMs - (call?.durationMs ?? 0),
    says: `${text(fields.msg)}${why === "" ? "" : `: ${why}`}`,
    isTrouble: typeof fields.level === "number" && fields.level >= WARNING,
    ...(call && { call }),
    raw,
  };
}

function jsonCall({ method, code, durationMs, request, made, msg }: JsonFields): LoggedCall | undefined {
  // An answer alone does not say which volume it is about.
  if (typeof method !== "string" || !text(msg).startsWith("CSI call") || request === undefined) return undefined;
  const id = text(made) || text(request.volume_id);
  return {
    method: method.slice(method.lastIndexOf("/") + 1),
    ...(typeof code === "string" && { code }),
    ...(typeof durationMs === "number" && { durationMs }),
    ...(id !== "" && { id }),
  };
}

function parsed(raw: string): JsonFields | undefined {
  try {
    return JSON.parse(raw) as JsonFields;
  } catch {
    // Cut off, or somebody else's: not a line of ours.
    return undefined;
  }
}

const klog = /^([IWEF])(\d\d)(\d\d) (\d\d:\d\d:\d\d\.\d+)\s+\d+ \S+\] (.*)$/u;
const grpcCall = /^"?GRPC call"?:? (?:method=")?\/csi\.v1\.\w+\/(\w+)/u;

/** klog leaves out the year: it is the one in which the line is not of the future. Containers' clocks are in UTC. */
function klogLine(raw: string, nowMs: number): LogLine | undefined {
  const [, severity = "", month, day, time, says = ""] = klog.exec(raw) ?? [];
  if (time === undefined) return undefined;
  const inYear = (year: number) => Date.parse(`${year}-${month}-${day}T${time.slice(0, "00:00:00.000".length)}Z`);
  const year = new Date(nowMs).getUTCFullYear();
  const atMs = inYear(year) > nowMs + DAY_MS ? inYear(year - 1) : inYear(year);
  const method = grpcCall.exec(says)?.[1];
  return { atMs, says, isTrouble: severity !== "I", ...(method !== undefined && { call: { method } }), raw };
}

const DAY_MS = 86_400_000;

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
