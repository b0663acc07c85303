import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { get } from "node:https";
import { join } from "node:path";

export interface FloodServer extends AsyncDisposable {
  readonly url: string;
  readonly caFile: string;
  /** Makes the events ready. */
  prepare(events: number): Promise<void>;
  /** Starts to send them; resolves at once. */
  flood(): Promise<void>;
}

export async function startFloodServer(folder: string, volumes: number): Promise<FloodServer> {
  const [caFile, keyFile] = [join(folder, "server.crt"), join(folder, "server.key")];
  execFileSync(
    "openssl",
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=bench -addext subjectAltName=IP:127.0.0.1"
      .split(" ")
      .concat("-keyout", keyFile, "-out", caFile),
    { stdio: "ignore" },
  );
  const child = fork(new URL("./flood-server.ts", import.meta.url), [String(volumes), caFile, keyFile]);
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  const url = `https://127.0.0.1:${port}`;
  const ca = readFileSync(caFile);
  return {
    url,
    caFile,
    prepare: async (events) => {
      const [response] = await once(get(`${url}/prepare?events=${events}`, { ca }), "response");
      response.resume();
    },
    flood: async () => void get(`${url}/flood`, { ca }, (response) => response.resume()),
    [Symbol.asyncDispose]: async () => {
      child.disconnect();
      await once(child, "exit");
    },
  };
}
