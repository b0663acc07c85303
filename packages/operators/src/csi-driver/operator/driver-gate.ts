import type { OperatorController } from "@stowage/operator";
import type { DriverGate } from "../driver-profile.ts";

/** The controllers as they are, but that they begin only when the gate opens. Without a gate they begin at once. */
export function behindGate(
  gate: DriverGate | undefined,
  controllers: readonly OperatorController[],
): readonly OperatorController[] {
  if (gate === undefined) return controllers;
  return controllers.map((controller) => ({
    ...controller,
    async run(signal) {
      const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
      signal.addEventListener("abort", () => stop(), { once: true });
      if (signal.aborted) stop();
      await Promise.race([gate.opened, stopped]);
      if (!signal.aborted) await controller.run(signal);
    },
  }));
}
