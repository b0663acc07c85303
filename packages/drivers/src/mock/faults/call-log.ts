import { type GrpcCode, grpcCodeOf, type Loggable, stripSecrets, toGrpcStatus } from "@stowage/csi";
import type { Clock } from "@stowage/machinery";

/** One call, as a test wants to read it. */
export interface CallRecord {
  readonly sequence: number;
  readonly method: string;
  readonly startedAt: string;
  /** Without secrets; fields by their names in the protocol. */
  readonly request: Loggable;
  /** Both are missing while the call is under way. */
  readonly durationMs?: number;
  readonly code?: GrpcCode;
  readonly message?: string;
}

type Message = Parameters<typeof stripSecrets>[0];

/** A driver that runs for days must not grow. */
const MAX_RECORDS = 10_000;

export class CallLog {
  readonly #clock: Clock;
  readonly #records = new Map<number, CallRecord>();
  #lastSequence = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  list(method?: string): CallRecord[] {
    return [...this.#records.values()].filter((record) => method === undefined || record.method === method);
  }

  clear(): void {
    this.#records.clear();
  }

  /** Records the call from its beginning, so that one that hangs is seen too. */
  async record<Answer>(method: string, request: Message, run: () => Promise<Answer>): Promise<Answer> {
    const beganMs = this.#clock.monotonicMs();
    const begun = this.#begin(method, request);
    const end = (outcome: Pick<CallRecord, "code" | "message">) => {
      // What was cleared meanwhile stays so.
      if (!this.#records.has(begun.sequence)) return;
      const durationMs = Math.round(this.#clock.monotonicMs() - beganMs);
      this.#records.set(begun.sequence, { ...begun, durationMs, ...outcome });
    };
    try {
      const answer = await run();
      end({ code: "OK" });
      return answer;
    } catch (error) {
      const { code, details } = toGrpcStatus(error);
      end({ code: grpcCodeOf(code), message: details });
      throw error;
    }
  }

  #begin(method: string, request: Message): CallRecord {
    this.#lastSequence += 1;
    const sequence = this.#lastSequence;
    const startedAt = new Date(this.#clock.nowMs()).toISOString();
    const record: CallRecord = { sequence, method, startedAt, request: stripSecrets(request) };
    this.#records.set(sequence, record);
    if (this.#records.size > MAX_RECORDS) this.#records.delete(this.#records.keys().next().value ?? 0);
    return record;
  }
}
