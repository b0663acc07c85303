import { readFileSync } from "node:fs";
import { get as httpGet } from "node:http";
import { get as httpsGet } from "node:https";
import { connect } from "node:net";
import type { Probe, UrlProbe } from "../components/component.ts";
import { readPair } from "./certificates.ts";
import { certificateFile } from "./layout.ts";

const ATTEMPT_TIMEOUT_MS = 3_000;

/** One attempt: undefined when the component is ready, else what it answered. */
export function tryProbe(dir: string, probe: Probe): Promise<string | undefined> {
  return "socket" in probe ? tryConnection(probe.socket) : tryRequest(dir, probe);
}

function tryRequest(
  dir: string,
  { url, authority, client, expects = () => true }: UrlProbe,
): Promise<string | undefined> {
  const ca = authority && readFileSync(certificateFile(dir, authority));
  const pair = client && readPair(dir, client);
  // No agent: a connection kept from one attempt would not notice that the server was started again.
  const options = { agent: false, timeout: ATTEMPT_TIMEOUT_MS, ca, cert: pair?.certificate, key: pair?.key };
  return new Promise((resolve) => {
    const request = (url.startsWith("https:") ? httpsGet : httpGet)(url, options, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => (body += text));
      response.on("end", () =>
        resolve(response.statusCode === 200 && expects(body) ? undefined : `${response.statusCode} ${body}`),
      );
      response.on("error", (error) => resolve(error.message));
    });
    request.on("timeout", () => request.destroy(new Error(`no answer in ${ATTEMPT_TIMEOUT_MS} ms`)));
    request.on("error", (error) => resolve(error.message));
  });
}

function tryConnection(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.on("connect", () => resolve(void socket.destroy()));
    socket.on("error", (error) => resolve(error.message));
  });
}
