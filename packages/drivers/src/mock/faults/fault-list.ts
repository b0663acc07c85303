import type { Fault, StoredFault } from "./fault.ts";

/** The faults that wait for their calls, in the order in which they were added. */
export class FaultList {
  #faults: StoredFault[] = [];
  #lastId = 0;

  add(fault: Fault): StoredFault {
    this.#lastId += 1;
    const stored = { ...fault, id: String(this.#lastId) };
    this.#faults.push(stored);
    return stored;
  }

  list(): readonly StoredFault[] {
    return [...this.#faults];
  }

  /** Whether there was such a fault. */
  remove(id: string): boolean {
    const before = this.#faults.length;
    this.#faults = this.#faults.filter((fault) => fault.id !== id);
    return this.#faults.length < before;
  }

  clear(): void {
    this.#faults = [];
  }

  /** The fault that strikes a call, and with that one time less to strike. `subjects` are the names and ids in the request. */
  take(method: string, subjects: readonly string[]): Fault | undefined {
    const fault = this.#faults.find((candidate) => isMeant(candidate, method, subjects));
    if (fault?.times === undefined) return fault;
    const rest = fault.times - 1;
    this.#faults = this.#faults.flatMap((each) => {
      if (each !== fault) return [each];
      return rest > 0 ? [{ ...fault, times: rest }] : [];
    });
    return fault;
  }
}

function isMeant(fault: Fault, method: string, subjects: readonly string[]): boolean {
  const isMethod = fault.method === "*" || fault.method === method;
  return isMethod && (fault.volume === undefined || subjects.includes(fault.volume));
}
