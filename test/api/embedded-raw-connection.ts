import { once } from "node:events";
import { connect, type TLSSocket } from "node:tls";
import type { Credentials } from "./kubeconfig-credentials.ts";

/** A connection on which anything can be said, by HTTP or not. */
export class RawConnection implements Disposable {
  readonly socket: TLSSocket;
  #heard = "";

  private constructor(socket: TLSSocket) {
    this.socket = socket;
    // Whoever is cut off in the middle of a word gets one of those.
    socket.on("error", () => {});
    socket.setEncoding("latin1").on("data", (text: string) => void (this.#heard += text));
  }

  /** Says in the greeting which protocol it will speak; none when left out, which means HTTP/1.1. */
  static async open({ server, ...tls }: Credentials, protocol?: "h2"): Promise<RawConnection> {
    const { hostname: host, port } = new URL(server);
    const greeting = protocol === undefined ? {} : { ALPNProtocols: [protocol] };
    const socket = connect({ host, port: Number(port), ...greeting, ...tls });
    await once(socket, "secureConnect");
    return new RawConnection(socket);
  }

  get heard(): string {
    return this.#heard;
  }

  /** Of the last answer. */
  get code(): number {
    return Number(/HTTP\/1\.1 (\d+)/.exec(this.#heard)?.[1] ?? 0);
  }

  /** At the pace of the server. Ends early when the server has closed the connection. */
  async say(text: string | Buffer, times = 1): Promise<number> {
    let said = 0;
    for (; said < times && this.socket.writable; said++) {
      if (this.socket.write(text)) continue;
      await this.#drained();
    }
    return said;
  }

  #drained(): Promise<void> {
    const { socket } = this;
    return new Promise((resolve) => {
      const settle = () => {
        socket.off("drain", settle).off("close", settle);
        resolve();
      };
      socket.on("drain", settle).on("close", settle);
    });
  }

  /** What was heard up to the end. */
  async closed(): Promise<string> {
    if (!this.socket.closed) await once(this.socket, "close");
    return this.#heard;
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }
}
