import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { StowageError } from "@stowage/machinery";
import { keepAliveDelayMs } from "./connect.ts";
import { Agent } from "./node-http.ts";
import { openRoute, type Route } from "./route.ts";

export interface ServerAgentOptions {
  readonly route: Route;
  /** For the whole way to a usable connection: name, TCP, proxy, TLS. */
  readonly connectTimeoutMs: number;
  /** Unused connections are closed after this long: before the server or a load balancer does it. */
  readonly idleTimeoutMs: number;
}

/** Keeps connections to one server. Their number has no limit: each watch holds one for as long as it runs. */
export class ServerAgent extends Agent {
  readonly #options: ServerAgentOptions;
  readonly #connecting = new Set<AbortController>();
  readonly #own = new Set<Socket>();

  constructor(options: ServerAgentOptions) {
    super({ keepAlive: true, keepAliveMsecs: keepAliveDelayMs, timeout: options.idleTimeoutMs, scheduling: "lifo" });
    this.#options = options;
  }

  override createConnection(_options: unknown, callback?: (error: Error | null, stream: Duplex) => void): undefined {
    void this.#openFor(callback);
  }

  /** A connection that belongs to the caller; it is closed with the agent. */
  async openOwn(signal?: AbortSignal): Promise<Socket> {
    const socket = await this.#open(signal);
    this.#own.add(socket);
    socket.once("close", () => this.#own.delete(socket));
    return socket;
  }

  /** Idle connections may all be dead when one is, after a restart of the server. */
  dropIdle(): void {
    for (const socket of Object.values(this.freeSockets).flatMap((sockets) => sockets ?? [])) {
      socket.destroy();
    }
  }

  /** Requests under way finish; then their connections are closed. */
  retire(): void {
    // Read by Node's agent when a connection becomes free.
    (this as unknown as { keepAlive: boolean }).keepAlive = false;
    this.dropIdle();
  }

  isUnused(): boolean {
    const pooled = Object.keys(this.sockets).length + Object.keys(this.requests).length;
    return pooled + this.#connecting.size + this.#own.size === 0;
  }

  override destroy(): void {
    for (const controller of this.#connecting) {
      controller.abort(
        new StowageError("TRANSPORT_CLOSED", `The client for ${this.#options.route.server.origin} was closed.`),
      );
    }
    for (const socket of this.#own) {
      socket.destroy();
    }
    super.destroy();
  }

  async #openFor(callback?: (error: Error | null, stream: Duplex) => void): Promise<void> {
    let socket: Socket;
    try {
      socket = await this.#open();
    } catch (error) {
      // The agent looks at the second argument only when there is no error.
      callback?.(error as Error, undefined as unknown as Duplex);
      return;
    }
    callback?.(null, socket);
  }

  async #open(signal?: AbortSignal): Promise<Socket> {
    const { route, connectTimeoutMs } = this.#options;
    const controller = new AbortController();
    const onAbort = () => controller.abort(signal?.reason);
    signal?.addEventListener("abort", onAbort);
    const timer = setTimeout(() => {
      controller.abort(timedOut(route, connectTimeoutMs));
    }, connectTimeoutMs);
    this.#connecting.add(controller);
    try {
      return await openRoute(route, controller.signal);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      this.#connecting.delete(controller);
    }
  }
}

function timedOut({ server, proxy }: Route, timeoutMs: number): StowageError {
  const through = proxy === undefined ? "" : `, through the proxy set by ${proxy.origin}`;
  return new StowageError(
    "CONNECTION_TIMEOUT",
    `${server.origin}: no connection within ${timeoutMs / 1000} s${through}.`,
  );
}
