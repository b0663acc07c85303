import { ServerResponse } from "node:http";
import type { Http2ServerResponse } from "node:http2";
import { closeLingering } from "./lingering-close.ts";
import { readBody } from "./request-body.ts";
import { type Incoming, RequestHead } from "./request-head.ts";
import type { SharedBytes } from "./shared-bytes.ts";

export type Outgoing = ServerResponse | Http2ServerResponse;

/** Said to whoever still waits. One for all: making one for every request would cost more than reading its head. */
const over = new Error("the exchange is over");

/** One request and where its answer goes. */
export class Exchange extends RequestHead {
  readonly outgoing: Outgoing;
  /** Of all exchanges of a server. */
  readonly bytes: SharedBytes;
  readonly #gone = new AbortController();

  constructor(incoming: Incoming, outgoing: Outgoing, rest: { readonly url: URL; readonly bytes: SharedBytes }) {
    super(incoming, rest.url);
    this.outgoing = outgoing;
    this.bytes = rest.bytes;
    outgoing.on("close", () => this.#gone.abort(over));
  }

  /** Aborted when the answer has been sent, or when nobody waits for it any more. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Undefined when there is none. */
  async body(limitBytes: number): Promise<Buffer | undefined> {
    try {
      return await readBody(this.incoming, limitBytes);
    } catch (error) {
      this.#closeAfterAnswer();
      throw error;
    }
  }

  /** What was not read would be taken for the next request. By HTTP/2 it is a matter of this request alone. */
  #closeAfterAnswer(): void {
    const { outgoing } = this;
    if (!(outgoing instanceof ServerResponse) || outgoing.headersSent) return;
    const { socket } = outgoing.req;
    outgoing.setHeader("connection", "close");
    // What Node calls when it has sent such an answer. Its own closes the connection there and then.
    socket.destroySoon = () => closeLingering(socket);
  }
}
