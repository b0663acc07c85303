/** Trying again would fail alike: the key is left until something about it changes. */
export class TerminalError extends Error {
  override readonly name = "TerminalError";

  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
  }
}
