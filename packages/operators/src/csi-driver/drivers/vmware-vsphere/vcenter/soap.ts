import { StowageError } from "@stowage/machinery";
import { type CloudHttp, escapeXml, unescapeXml } from "../../../../cloud-config/index.ts";

/** A managed object by its type and id. */
export interface ObjectReference {
  readonly type: string;
  readonly id: string;
}

/** One of vCenter's web services. */
interface SoapService {
  readonly path: string;
  readonly namespace: string;
  readonly action: string;
}

const inventoryService: SoapService = { path: "/sdk", namespace: "urn:vim25", action: "urn:vim25/6.7" };
const policyService: SoapService = { path: "/pbm", namespace: "urn:pbm", action: "urn:pbm/2.0" };

/** Calls methods of vCenter's web services, in one session once somebody has logged in. */
export class SoapClient {
  readonly #http: CloudHttp;
  readonly #url: string;
  readonly #service: SoapService;
  /** Whoever has logged in for this one too. */
  readonly #session: SoapClient | undefined;
  #cookie: string | undefined;

  constructor(http: CloudHttp, url: string, service = inventoryService, session?: SoapClient) {
    this.#http = http;
    this.#url = url;
    this.#service = service;
    this.#session = session;
  }

  /** Storage policies are another service, which knows its callers by the session that they have here. */
  policies(): SoapClient {
    return new SoapClient(this.#http, new URL(policyService.path, this.#url).href, policyService, this);
  }

  /** The XML of the answer. What is refused is told by the kind of the fault alone: its words may repeat a name. */
  async call(method: string, self: ObjectReference, parameters: string, signal: AbortSignal): Promise<string> {
    const { namespace, action } = this.#service;
    const body = `<${method} xmlns="${namespace}">${reference("_this", self)}${parameters}</${method}>`;
    const content = envelope(body, this.#session?.sessionHeader() ?? "");
    const headers = { soapaction: `"${action}"`, ...(this.#cookie !== undefined && { cookie: this.#cookie }) };
    const request = { what: `for ${method}`, url: this.#url, method: "POST", headers } as const;
    const { status, headers: answered, text } = await this.#http({ ...request, xml: content }, signal);
    const [cookie] = answered["set-cookie"] ?? [];
    if (cookie !== undefined) this.#cookie = cookie.split(";")[0];
    if (status === 200) return text;
    const fault = /<detail>.*?\stype="(\w+)"/su.exec(text.replaceAll("xsi:type", " type"))?.[1] ?? `HTTP ${status}`;
    throw new StowageError("CLOUD_REFUSED", `vCenter ${new URL(this.#url).host} refused ${method}: ${fault}`);
  }

  /** For the services beside this one. */
  sessionHeader(): string {
    const [, value] = /=\s*"?([^"]*)"?$/u.exec(this.#cookie ?? "") ?? [];
    return value === undefined ? "" : `<vcSessionCookie>${escapeXml(value)}</vcSessionCookie>`;
  }
}

/** Values whose type the definitions leave open say it themselves. */
const namespaces = [
  'xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"',
  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
  'xmlns:xsd="http://www.w3.org/2001/XMLSchema"',
].join(" ");

function envelope(body: string, header: string): string {
  const content = `${header === "" ? "" : `<e:Header>${header}</e:Header>`}<e:Body>${body}</e:Body>`;
  return `<?xml version="1.0" encoding="UTF-8"?><e:Envelope ${namespaces}>${content}</e:Envelope>`;
}

export function reference(name: string, { type, id }: ObjectReference): string {
  return `<${name} type="${escapeXml(type)}">${escapeXml(id)}</${name}>`;
}

export function referenceIn(xml: string, name: string): ObjectReference | undefined {
  const [, type, id] = new RegExp(`<${name}[^>]*\\stype="([^"]*)"[^>]*>([^<]*)</${name}>`, "u").exec(xml) ?? [];
  return type === undefined || id === undefined ? undefined : { type, id: unescapeXml(id) };
}
