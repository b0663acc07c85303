/** Work that goes on until it is disposed of, which settles when it has ended. */
export function runningWork(run: (signal: AbortSignal) => Promise<void>): AsyncDisposable {
  const stop = new AbortController();
  const ended = run(stop.signal);
  // A failure is told when it is disposed of; until then nobody listens.
  ended.catch(() => {});
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await ended;
    },
  };
}
