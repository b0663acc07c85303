import type { TerminalSize } from "../node-agents.ts";

/** `{"Width":80,"Height":24}`; what is none is passed over, as kubelets do. */
export function terminalSize(payload: Buffer): TerminalSize | undefined {
  try {
    const { Width: columns, Height: rows } = JSON.parse(payload.toString("utf8")) as Record<string, unknown>;
    return typeof columns === "number" && typeof rows === "number" ? { columns, rows } : undefined;
  } catch {
    return undefined;
  }
}
