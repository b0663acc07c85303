import type { CallRecord, Fault, MockState } from "@stowage/drivers";
import type { DriverProcess } from "./driver-process.ts";

/** A test's grip on a mock in another process. */
export interface MockGrip {
  /** The calls about one volume, or about all, oldest first. */
  calls(method: string, volumeId?: string): Promise<RecordedCall[]>;
  addFault(fault: Fault): Promise<void>;
  mounts(): Promise<MockState["mounts"]>;
  state(): Promise<MockState>;
}

export interface RecordedCall extends Omit<CallRecord, "request"> {
  readonly request: Readonly<Record<string, unknown>>;
}

export function gripOf(mock: DriverProcess): MockGrip {
  const ask = async <Answer>(method: string, path: string, body?: object) => {
    const response = await fetch(`${mock.controlUrl}${path}`, { method, body: body && JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  };
  const state = () => ask<MockState>("GET", "/state");
  return {
    async calls(method, volumeId) {
      const { calls } = await ask<{ calls: RecordedCall[] }>("GET", `/calls?method=${method}`);
      return calls.filter(({ request }) => volumeId === undefined || request.volume_id === volumeId);
    },
    addFault: async (fault) => void (await ask("POST", "/faults", fault)),
    mounts: async () => (await state()).mounts,
    state,
  };
}
