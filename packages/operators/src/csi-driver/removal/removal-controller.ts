import type { ClusterCSIDriver } from "@stowage/machinery";
import {
  type OperatorController,
  type OperatorSyncContext,
  operatorController,
  operatorFinalizer,
  type StatedCondition,
  wantedModeOf,
} from "@stowage/operator";
import type { DriverProfile } from "../driver-profile.ts";
import type { DriverDeps } from "../operator/driver-deps.ts";
import { holderText } from "./holder-text.ts";
import type { Holder } from "./holders.ts";
import { startUsageWatch, type UsageWatch } from "./usage-watch.ts";

/** Keeps the driver while something uses it. Renaming it leaves ClusterCSIDrivers behind that nobody can delete. */
export function holdFinalizerOf({ operatorName, conditionPrefix }: DriverProfile): string {
  return operatorFinalizer(operatorName, removalControllerName({ conditionPrefix }));
}

function removalControllerName({ conditionPrefix }: Pick<DriverProfile, "conditionPrefix">): string {
  return `${conditionPrefix}DriverRemovalController`;
}

/**
 * Says whether a driver that is to go may go: not while a volume, a claim that waits for one, an attachment, an inline volume of a Pod or
 * a snapshot needs it. Its finalizer is what all other controllers go by; they put it on the resource before they make anything.
 * Watches: the operator's resource; and while the driver is to go, whatever may use it. Writes conditions: `<P>DriverRemovalProgressing`,
 * only while it is to go, with who holds it; `<P>DriverRemovalControllerDegraded`. Deletes: nothing; lets others delete.
 */
export function removalController(deps: DriverDeps, profile: DriverProfile): OperatorController {
  const removal = new Removal(deps, profile, () => controller.trigger());
  const controller = operatorController<ClusterCSIDriver>(deps, {
    name: removalControllerName(profile),
    ignoresManagementState: true,
    resyncMs: 60_000,
    sync: (context) => removal.sync(context),
    syncWithout: () => removal.end(),
  });
  return {
    ...controller,
    async run(signal) {
      try {
        await controller.run(signal);
      } finally {
        await removal.end();
      }
    },
  };
}

class Removal {
  readonly #deps: DriverDeps;
  readonly #profile: DriverProfile;
  readonly #onChange: () => void;
  #watch: UsageWatch | undefined;
  /** Told as an event when it changes. */
  #told: string | undefined;

  constructor(deps: DriverDeps, profile: DriverProfile, onChange: () => void) {
    this.#deps = deps;
    this.#profile = profile;
    this.#onChange = onChange;
  }

  async sync({ operator, signal }: OperatorSyncContext<ClusterCSIDriver>): Promise<void> {
    const { management } = this.#deps.operator;
    const isBeingDeleted = operator.metadata.deletionTimestamp !== undefined;
    if (wantedModeOf(operator, management) !== "remove") {
      await this.end();
      if (isBeingDeleted && management.allowsDeletion === false) return this.#letGo(operator, signal);
      const isStuck = isBeingDeleted && operator.spec.managementState === "Unmanaged";
      return this.#say(isStuck ? [unmanaged(this.#profile)] : [], signal);
    }
    if (!(operator.metadata.finalizers ?? []).includes(holdFinalizerOf(this.#profile))) {
      await this.end();
      // The others take their finalizers off when what they made is gone.
      return this.#say(this.#finalizersOf(operator).length > 0 ? [removing(this.#profile)] : [], signal);
    }
    await this.#holdOrRelease(signal);
  }

  /** Nobody wants the driver to go, or nothing is in its way any more. */
  async end(): Promise<void> {
    const watch = this.#watch;
    this.#watch = undefined;
    this.#told = undefined;
    await watch?.stop();
  }

  async #holdOrRelease(signal: AbortSignal): Promise<void> {
    const { events, operator } = this.#deps;
    const { driverName } = this.#profile;
    this.#watch ??= await startUsageWatch(this.#deps, driverName, this.#onChange);
    const holders = await this.#watch.holders(signal);
    if (holders.length > 0) {
      const condition = inUse(this.#profile, holders);
      if (this.#told !== condition.message) events.warning("DriverInUse", `${driverName}: ${condition.message}`);
      this.#told = condition.message;
      return this.#say([condition], signal);
    }
    await operator.removeFinalizer(holdFinalizerOf(this.#profile), signal);
    events.normal("DriverUnused", `Nothing uses ${driverName}: what was made for it is being deleted`);
  }

  /** The platform needs the driver: somebody makes the resource anew, and until then nothing is touched. */
  async #letGo(operator: ClusterCSIDriver, signal: AbortSignal): Promise<void> {
    for (const finalizer of this.#finalizersOf(operator)) await this.#deps.operator.removeFinalizer(finalizer, signal);
  }

  /** Of this operator. */
  #finalizersOf({ metadata }: ClusterCSIDriver): string[] {
    const prefix = operatorFinalizer(this.#profile.operatorName, "");
    return (metadata.finalizers ?? []).filter((finalizer) => finalizer.startsWith(prefix));
  }

  async #say(conditions: readonly StatedCondition[], signal: AbortSignal): Promise<void> {
    const type = conditionType(this.#profile);
    const isSaid = this.#deps.operator.current()?.status?.conditions?.some((each) => each.type === type) ?? false;
    if (conditions.length === 0 && !isSaid) return;
    await this.#deps.operator.applyStatus(removalControllerName(this.#profile), { conditions }, signal);
  }
}

function conditionType({ conditionPrefix }: DriverProfile): string {
  return `${conditionPrefix}DriverRemovalProgressing`;
}

function inUse(profile: DriverProfile, holders: readonly Holder[]) {
  const message =
    `The driver stays while it is in use by ${holderText(holders)}. ` +
    "Delete these, Pods and claims first; the driver is removed as soon as the last of them is gone.";
  return { type: conditionType(profile), status: "True", reason: "DriverInUse", message } as const;
}

function removing(profile: DriverProfile): StatedCondition {
  const message = "Nothing uses the driver: what was made for it is being deleted.";
  return { type: conditionType(profile), status: "True", reason: "Removing", message };
}

function unmanaged(profile: DriverProfile): StatedCondition {
  const message =
    "The ClusterCSIDriver is being deleted and is Unmanaged, so that nothing may be touched. " +
    "Set spec.managementState to Removed to have the driver removed.";
  return { type: conditionType(profile), status: "True", reason: "Unmanaged", message };
}
