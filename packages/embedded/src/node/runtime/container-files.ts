/** What a container's folder holds, by name. What became of it is written into small files. */
export const containerFiles = {
  /** The program runs, or is about to. */
  started: "started",
  /** Why it never ran. */
  startError: "start-error",
  /** Its exit code and the end of the line; empty until then. */
  exit: "exit",
  /** Which process waits for it, and its own first one. */
  keeper: "keeper",
  /** What is typed on its terminal, where it has one: a named pipe. */
  input: "input",
  /** The name of its terminal on the machine. */
  terminal: "terminal",
  /** Everything that it says. */
  log: "log",
  /** When it said what. */
  logTimes: "times",
  /** Whose it is. */
  description: "container.json",
} as const;
