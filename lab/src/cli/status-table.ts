import type { LabStatus } from "../cluster/status.ts";

const HEADINGS = ["COMPONENT", "STATE", "PID", "PORTS", "VERSION", "RSS", "LOG"];
const NOTHING = "-";

export function renderStatusTable({ dir, level, server, components }: LabStatus): string {
  const rows = components.map(({ name, state, pid, ports, version, rssBytes, log }) => [
    name,
    state,
    String(pid ?? NOTHING),
    ports.join(",") || NOTHING,
    version || NOTHING,
    rssBytes === undefined ? NOTHING : `${Math.round(rssBytes / 1024 / 1024)}Mi`,
    log,
  ]);
  return `lab in ${dir}, level ${level}, ${server}\n${alignColumns([HEADINGS, ...rows])}\n`;
}

function alignColumns(rows: readonly string[][]): string {
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
