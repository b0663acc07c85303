import { Client, connectivityState, credentials, Metadata, type MethodDefinition } from "@grpc/grpc-js";
import { CsiError, grpcCodeNumber, toCsiError } from "../protocol/index.ts";
import { grpcTarget } from "../sockets/index.ts";

/** Lists of many thousand volumes are larger than gRPC's own 4 MiB. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

const channelOptions = {
  // What kubelet sends, too. Node's HTTP/2 refuses the path of the socket here, some Go servers an empty name.
  "grpc.default_authority": "localhost",
  "grpc.enable_http_proxy": 0,
  // Otherwise two clients of one socket share a connection, and its back-off.
  "grpc.use_local_subchannel_pool": 1,
  // A connection that rests would be closed and look like one that was lost.
  "grpc.client_idle_timeout_ms": 2 ** 31 - 1,
  "grpc.initial_reconnect_backoff_ms": 100,
  "grpc.max_reconnect_backoff_ms": 1000,
  "grpc.max_receive_message_length": MAX_MESSAGE_BYTES,
  "grpc.max_send_message_length": MAX_MESSAGE_BYTES,
};

export interface ConnectionListener {
  /** Also each time after it had been lost. */
  onConnected?(): void;
  /** The driver has gone away, most likely to restart; the connection is taken up again by itself. */
  onConnectionLost?(): void;
}

export interface SentCall {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** What is needed of a method to send bytes to it. */
export type SentMethod<Response> = Pick<MethodDefinition<unknown, Response>, "path" | "responseDeserialize">;

/** One connection to a driver's socket, which outlives the driver's restarts. */
export class Connection {
  readonly #path: string;
  readonly #client: Client;
  readonly #channel: ReturnType<Client["getChannel"]>;
  readonly #listener: ConnectionListener;
  readonly #cancels = new Set<() => void>();
  #isConnected = false;
  #isClosed = false;

  constructor(path: string, listener: ConnectionListener) {
    this.#path = path;
    this.#listener = listener;
    this.#client = new Client(grpcTarget(path), credentials.createInsecure(), channelOptions);
    this.#channel = this.#client.getChannel();
    this.#watch();
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** Resolves when connected, rejects with UNAVAILABLE after the time is over, and with the signal's reason. */
  async connect(timeoutMs: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const onAbort = () => reject(signal?.reason as Error);
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#client.waitForReady(Date.now() + timeoutMs, (error) => {
        signal?.removeEventListener("abort", onAbort);
        if (error === undefined) resolve();
        else reject(new CsiError("UNAVAILABLE", `no connection to unix://${this.#path} within ${timeoutMs} ms`));
      });
    });
  }

  /** Sends bytes that are encoded already, so that gRPC has no occasion to complain about what is in them. */
  async send<Response>(
    method: SentMethod<Response>,
    bytes: Uint8Array,
    { timeoutMs, signal }: SentCall,
  ): Promise<Response> {
    if (this.#isClosed) throw new CsiError("CANCELLED", "the client has been closed");
    if (signal?.aborted === true) throw givenUp(signal);
    return new Promise((resolve, reject) => {
      const call = this.#client.makeUnaryRequest(
        method.path,
        (encoded: Uint8Array) => Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength),
        method.responseDeserialize,
        bytes,
        new Metadata(),
        { deadline: Date.now() + timeoutMs },
        (error, response) => {
          this.#cancels.delete(cancel);
          signal?.removeEventListener("abort", cancel);
          if (error === null) resolve(response as Response);
          else reject(isGivenUp(error.code, signal) ? givenUp(signal) : toCsiError(error));
        },
      );
      const cancel = () => call.cancel();
      this.#cancels.add(cancel);
      signal?.addEventListener("abort", cancel, { once: true });
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#client.close();
    for (const cancel of this.#cancels) cancel();
  }

  #watch(): void {
    if (this.#isClosed) return;
    // Asking for the state starts to connect, so that a driver that comes back is noticed without a call.
    const state = this.#channel.getConnectivityState(true);
    this.#report(state === connectivityState.READY);
    this.#channel.watchConnectivityState(state, Number.POSITIVE_INFINITY, () => this.#watch());
  }

  #report(isConnected: boolean): void {
    if (isConnected === this.#isConnected) return;
    this.#isConnected = isConnected;
    if (isConnected) this.#listener.onConnected?.();
    else this.#listener.onConnectionLost?.();
  }
}

function isGivenUp(code: number, signal: AbortSignal | undefined): signal is AbortSignal {
  return code === grpcCodeNumber("CANCELLED") && signal?.aborted === true;
}

function givenUp(signal: AbortSignal): CsiError {
  return new CsiError("CANCELLED", "the caller gave up", { cause: signal.reason });
}
