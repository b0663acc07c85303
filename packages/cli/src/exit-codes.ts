/** Scripts rely on these. */
export const exitCodes = {
  success: 0,
  /** The command could not do what it was asked. */
  failure: 1,
  /** The command line makes no sense. */
  usage: 2,
  /** Stopped by Ctrl-C. */
  interrupted: 130,
} as const;
