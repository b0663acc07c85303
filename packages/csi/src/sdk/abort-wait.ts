/** A promise that resolves when the signal is aborted; disposing it leaves no listener behind. */
export interface AbortWait extends Disposable {
  readonly aborted: Promise<void>;
}

export function waitForAbort(signal: AbortSignal): AbortWait {
  const { promise, resolve } = Promise.withResolvers<void>();
  const onAbort = () => resolve();
  if (signal.aborted) resolve();
  else signal.addEventListener("abort", onAbort, { once: true });
  return { aborted: promise, [Symbol.dispose]: () => signal.removeEventListener("abort", onAbort) };
}
