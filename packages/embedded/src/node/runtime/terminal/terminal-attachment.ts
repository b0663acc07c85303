import { constants, openSync, readFileSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { systemExecutor } from "@stowage/csi/host";
import type { CommandStreams, TerminalSize } from "../container.ts";
import { containerFiles } from "../container-files.ts";
import type { ContainerTerminal } from "../container-spec.ts";
import { typeInto } from "./terminal-input.ts";
import { TerminalResizing } from "./terminal-resizing.ts";
import { TerminalSizes } from "./terminal-sizes.ts";

/**
 * Sizes, and what is typed, from whoever attaches to a container's own terminal. When that one goes the terminal stays as it is: others
 * may come. Settles when the signal is aborted or nobody has more to say.
 */
export async function attachToTerminal(
  folder: string,
  { takesInput }: ContainerTerminal,
  { stdin, sizes }: CommandStreams,
  signal: AbortSignal,
): Promise<void> {
  const told = sizes === undefined ? undefined : new TerminalSizes(sizes);
  const first = await told?.first();
  if (first !== undefined) await setSize(folder, first, signal);
  const resizing = new TerminalResizing();
  const later = told === undefined ? undefined : resizing.follow(told.later(), (size) => setSize(folder, size, signal));
  const typed = takesInput && stdin !== undefined ? resizing.afterSizes(stdin) : undefined;
  await Promise.all([later, typed === undefined ? undefined : typeOn(folder, typed, signal)]);
}

async function typeOn(folder: string, stdin: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const flags = constants.O_WRONLY | constants.O_NONBLOCK;
  const pipe = new Socket({ fd: openSync(join(folder, containerFiles.input), flags), readable: false });
  signal.addEventListener("abort", () => pipe.destroy(), { once: true });
  await typeInto(pipe, stdin);
  pipe.end();
}

/** It is a terminal of the machine: whoever made the container may reach it. */
async function setSize(folder: string, { rows, columns }: TerminalSize, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const name = readFileSync(join(folder, containerFiles.terminal), "utf8").trim();
  const size = ["rows", String(rows), "columns", String(columns)];
  // The container may have ended just now.
  await systemExecutor.run(["stty", "-F", name, ...size]).catch(() => {});
}
