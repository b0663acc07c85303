import { request } from "node:http";

/** A volume as the mock driver's control endpoint shows it: byte counts are texts. */
export interface StoredVolume {
  readonly id: string;
  readonly name: string;
  readonly capacityBytes: string;
  /** By node. */
  readonly attachments: Readonly<Record<string, unknown>>;
}

export interface StoredSnapshot {
  readonly id: string;
  readonly name: string;
}

export interface StoredState {
  readonly volumes: readonly StoredVolume[];
  readonly snapshots: readonly StoredSnapshot[];
}

/** The control over a mock driver in another process, which may be down at any moment. */
export class MockControlClient {
  readonly #socketPath: string;

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  state(): Promise<StoredState> {
    return this.#ask<StoredState>("GET", "/state");
  }

  async addFault(fault: object): Promise<void> {
    await this.#ask("POST", "/faults", fault);
  }

  async clearFaults(): Promise<void> {
    await this.#ask("DELETE", "/faults");
  }

  #ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const asked = request({ socketPath: this.#socketPath, method, path }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        response.on("error", reject).on("end", () => {
          if (response.statusCode === 200) resolve(JSON.parse(text) as Answer);
          else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
        });
      });
      asked.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}
