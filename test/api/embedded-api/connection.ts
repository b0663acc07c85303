import type { IncomingMessage } from "node:http";
import { Agent, request as httpsRequest } from "node:https";
import type { Credentials } from "../kubeconfig-credentials.ts";

export interface Call {
  readonly method: string;
  /** Sent as it is, so that paths that no client would make can be sent, too. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array | undefined;
}

export interface RawAnswer {
  readonly code: number;
  readonly contentType: string;
  readonly warnings: readonly string[];
  readonly text: string;
}

/** What came of a watch: the answer, and its text up to the end. */
export interface OpenWatch {
  readonly code: number;
  readonly contentType: string;
  /** Settles when as many lines have come, or the server has ended it. */
  lines(count: number): Promise<readonly string[]>;
  /** All that has come. */
  text(): string;
  close(): void;
}

const PATIENCE_MS = 60_000;
const EVENTS_WAIT_MS = 10_000;

/** Asks a server over HTTPS and changes nothing of what is asked. */
export class Connection {
  readonly host: string;
  readonly #agent: Agent;

  constructor({ server, ...tls }: Credentials) {
    this.host = new URL(server).host;
    this.#agent = new Agent({ ...tls, keepAlive: true, maxSockets: 64 });
  }

  close(): void {
    this.#agent.destroy();
  }

  async send(call: Call): Promise<RawAnswer> {
    const response = await this.#open(call);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return {
      code: response.statusCode ?? 0,
      contentType: response.headers["content-type"] ?? "",
      warnings: warningsOf(response),
      text: Buffer.concat(chunks).toString(),
    };
  }

  async watch(call: Call): Promise<OpenWatch> {
    const response = await this.#open(call);
    let text = "";
    const whole = () => text.split("\n").slice(0, -1);
    const ended = new Promise<void>((resolve) => response.once("close", resolve));
    response.setEncoding("utf8").on("error", () => {});
    response.on("data", (chunk: string) => {
      text += chunk;
    });
    return {
      code: response.statusCode ?? 0,
      contentType: response.headers["content-type"] ?? "",
      async lines(count) {
        const enough = new Promise<void>((resolve) => {
          const look = () => void (whole().length >= count && resolve());
          response.on("data", look);
          look();
        });
        const timer = AbortSignal.timeout(EVENTS_WAIT_MS);
        const late = new Promise<void>((resolve) => {
          timer.addEventListener("abort", () => resolve(), { once: true });
        });
        await Promise.race([enough, ended, late]);
        return whole();
      },
      text: () => text,
      close: () => void response.destroy(),
    };
  }

  #open({ method, path, headers, body }: Call): Promise<IncomingMessage> {
    const [hostname = "", port = ""] = this.host.split(":");
    const length = { "content-length": String(Buffer.byteLength(body ?? "")) };
    return new Promise((resolve, reject) => {
      const options = { hostname, port, method, path, agent: this.#agent, timeout: PATIENCE_MS };
      const call = httpsRequest(
        { ...options, headers: { ...length, ...(headers as Record<string, string>) } },
        resolve,
      );
      call.on("timeout", () => call.destroy(new Error(`${method} ${path} was not answered by ${this.host}`)));
      call.on("error", reject);
      call.end(body);
    });
  }
}

/** Node joins headers of one name, and texts inside them may have commas. */
function warningsOf({ rawHeaders }: IncomingMessage): string[] {
  return rawHeaders.filter((_value, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === "warning");
}
