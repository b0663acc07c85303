import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { createAuthority, issueCertificate } from "@stowage/machinery/certificates";
import { type SimulatedCloud, serveOnLoopback } from "../loopback-server.ts";
import { SoapAnswers } from "./soap-answers.ts";
import { TagAnswers } from "./tag-answers.ts";

const YEAR_MS = 365 * 24 * 60 * 60 * 1_000;
/** More than anybody has to say. */
const MAX_BODY_BYTES = 64 * 1024;

/**
 * A vCenter for the operator of vSphere: it looks at versions, and has tags and storage policies made. Everybody is let in, and nothing is
 * behind it. Its certificate is nobody's: the cloud's configuration says that it is not looked at.
 */
export function startSimulatedVCenter(wantedPort: number | undefined): Promise<SimulatedCloud> {
  const [soap, tags] = [new SoapAnswers(), new TagAnswers()];
  const server = createServer(ownCertificate(), (request, response) => {
    answer({ soap, tags }, request, response).catch(() => response.destroy());
  });
  return serveOnLoopback(server, "https", wantedPort);
}

interface Answers {
  readonly soap: SoapAnswers;
  readonly tags: TagAnswers;
}

async function answer({ soap, tags }: Answers, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = "GET", url = "/" } = request;
  const body = await bodyOf(request);
  if (url.startsWith("/rest/")) {
    const { status, value } = tags.answer({ method, path: url.slice("/rest".length), body: parsed(body) });
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ value }));
    return;
  }
  const { status, xml } = soap.answer(body);
  const headers = {
    "content-type": "text/xml; charset=utf-8",
    "set-cookie": 'vmware_soap_session="simulated"; Path=/; HttpOnly; Secure',
  };
  response.writeHead(status, headers).end(xml);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MAX_BODY_BYTES) throw new RangeError("nobody asks a simulated vCenter that much");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function ownCertificate(): { readonly cert: string; readonly key: string } {
  const fromMs = Date.now();
  const validity = { fromMs, untilMs: fromMs + YEAR_MS };
  const authority = createAuthority("simulated by stowage up", validity);
  const subject = { commonName: "127.0.0.1", names: ["127.0.0.1"], usages: ["server" as const], validity };
  const { certificate, key } = issueCertificate(authority, subject);
  return { cert: certificate, key };
}
