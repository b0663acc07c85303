import type { CallContext } from "@stowage/csi";
import type { MockDeps } from "../deps.ts";
import { authenticate } from "../required-secrets.ts";
import type { CallLog } from "./call-log.ts";
import type { FaultList } from "./fault-list.ts";
import { misbehave } from "./misbehave.ts";

export interface Interception extends MockDeps {
  readonly calls: CallLog;
  readonly faults: FaultList;
}

type Request = Parameters<CallLog["record"]>[1];
type AnyCall = (request: Request, context: CallContext) => Promise<unknown>;

/** The same service, each of whose calls is recorded, must bring its secrets, and goes wrong when it is told to. */
export function intercepted<Service extends object>(service: Service, deps: Interception): Service {
  const calls = Object.entries(service as Record<string, AnyCall>).map(([name, call]) => [
    name,
    interceptedCall(methodOf(name), call, deps),
  ]);
  return Object.fromEntries(calls) as Service;
}

function interceptedCall(method: string, call: AnyCall, deps: Interception): AnyCall {
  const { calls, faults, settings } = deps;
  return (request, context) =>
    calls.record(method, request, async () => {
      authenticate(settings.secrets, method, request);
      const fault = faults.take(method, subjectsOf(request, deps));
      return await misbehave(fault, () => call(request, context), { clock: settings.clock, signal: context.signal });
    });
}

function methodOf(functionName: string): string {
  return functionName.slice(0, 1).toUpperCase() + functionName.slice(1);
}

/** Names, and ids together with the names of what they belong to: whoever injects a fault need not know ids. */
function subjectsOf(request: Request, { backend }: MockDeps): string[] {
  const { name, volumeId, snapshotId, groupSnapshotId, sourceVolumeId } = request as Readonly<
    Record<string, string | undefined>
  > &
    Request;
  const ids = [volumeId, snapshotId, groupSnapshotId, sourceVolumeId].filter((id) => id !== undefined);
  const { volumes, snapshots, groupSnapshots } = backend;
  const names = ids.map((id) => (volumes.get(id) ?? snapshots.get(id) ?? groupSnapshots.get(id))?.name);
  return [name, ...ids, ...names].filter((subject) => subject !== undefined && subject !== "") as string[];
}
