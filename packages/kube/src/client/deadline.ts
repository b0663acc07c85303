import { StowageError } from "@stowage/machinery";

export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * A signal that follows the caller's and also fires when the time is up. Disposing it leaves neither a timer nor a listener
 * behind; `AbortSignal.any` would keep one on a signal that lives as long as the process.
 */
export function deadline(what: string, timeoutMs: number, parent?: AbortSignal): Deadline {
  const controller = new AbortController();
  const onParentAbort = () => controller.abort(parent?.reason);
  if (parent?.aborted) onParentAbort();
  else parent?.addEventListener("abort", onParentAbort, { once: true });
  const timer = setTimeout(() => {
    controller.abort(new StowageError("REQUEST_TIMEOUT", `${what} had no answer within ${timeoutMs} ms`));
  }, timeoutMs);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      clearTimeout(timer);
      parent?.removeEventListener("abort", onParentAbort);
    },
  };
}
