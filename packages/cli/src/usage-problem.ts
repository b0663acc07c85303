import { hasErrorCode } from "@stowage/machinery";
import type { CommanderError } from "commander";
import type { CommandPlace } from "./command-place.ts";

/** What a person is told of a command line that makes no sense: where, what, and where to look. */
export function describeUsageProblem({ path, command }: CommandPlace, problem: CommanderError): string {
  const place = ["stowage", ...path].join(" ");
  // Commander has shown the help already when a group is named without one of its commands.
  if (problem.code === "commander.help") return `${place}: a command is missing; those above are there\n`;
  const [what = "", ...hints] = problem.message.replace(/^error: /, "").split("\n");
  const isAboutArguments = problem.code === "commander.missingArgument" || problem.code === "commander.excessArguments";
  const wanted = isAboutArguments ? (command?.positional ?? []) : [];
  return [
    `${place}: ${what}`,
    ...hints.map((hint) => `  ${hint}`),
    ...wanted.map(({ name, help }) => `  <${name}>: ${help}`),
    `  next: ${place} --help shows what there is`,
    "",
  ].join("\n");
}

const usageCodes = ["DRIVER_UNKNOWN", "IMAGE_WITHOUT_TAG", "INVALID_SELECTOR", "UP_OPTIONS"] as const;

/** Failures that only another command line mends. */
export function isUsageProblem(error: unknown): boolean {
  return usageCodes.some((code) => hasErrorCode(error, code));
}
