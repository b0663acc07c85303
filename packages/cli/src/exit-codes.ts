/** Scripts rely on these. */
export const exitCodes = {
  success: 0,
  /** The command could not do what it was asked. */
  failure: 1,
  /** The command line makes no sense. */
  usage: 2,
  /** Done as far as was possible; what is missing is said. */
  incomplete: 3,
  /** Stopped by Ctrl-C. */
  interrupted: 130,
} as const;

const meanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  success: "done",
  failure: "failed",
  usage: "the command line makes no sense",
  incomplete: "done as far as was possible, or what was asked about is not well",
  interrupted: "stopped by Ctrl-C before it was done",
};

/** For the help and the reference page. */
export function exitCodeText(): string {
  const names = Object.keys(meanings) as (keyof typeof exitCodes)[];
  return names.map((name) => `${exitCodes[name]} ${meanings[name]}`).join("; ");
}
