import { vcenterInventory as inventory } from "./inventory.ts";

export interface SoapAnswer {
  readonly status: number;
  readonly xml: string;
}

type Answer = (body: string) => string;

const instance = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"';

/** vCenter's web services, as far as they are asked: the inventory, and storage policies, which it keeps while it runs. */
export class SoapAnswers {
  readonly #policies: string[] = [];
  readonly #answers: Readonly<Record<string, Answer>> = {
    RetrieveServiceContent: () => returned(serviceContent),
    Login: () => returned("<key>simulated</key>"),
    Logout: () => "",
    FindByUuid: (body) => machine(textIn(body, "uuid")),
    FindByInventoryPath: (body) => datastore(textIn(body, "inventoryPath")),
    RetrieveProperties: (body) => returned(properties(body)),
    PbmRetrieveServiceContent: () =>
      returned(reference("profileManager", "PbmProfileProfileManager", "ProfileManager")),
    PbmQueryProfile: () => this.#policies.map((_name, index) => returned(uniqueId(index))).join(""),
    PbmRetrieveContent: () =>
      this.#policies
        .map((name, index) => returned(`<profileId>${uniqueId(index)}</profileId><name>${name}</name>`))
        .join(""),
    PbmCreate: (body) => returned(uniqueId(this.#policies.push(textIn(body, "name")) - 1)),
  };

  answer(body: string): SoapAnswer {
    const method = /<(?:\w+:)?Body[^>]*>\s*<(\w+)/u.exec(body)?.[1] ?? "";
    const found = Object.hasOwn(this.#answers, method) ? this.#answers[method] : undefined;
    if (found === undefined) return { status: 500, xml: envelope(fault) };
    return { status: 200, xml: envelope(`<${method}Response>${found(body)}</${method}Response>`) };
  }
}

const fault = '<Fault><detail><NotSupportedFault xsi:type="NotSupported"/></detail></Fault>';

const serviceContent = [
  `<about><apiVersion>${inventory.version}</apiVersion></about>`,
  reference("sessionManager", "SessionManager", "SessionManager"),
  reference("searchIndex", "SearchIndex", "SearchIndex"),
  reference("propertyCollector", "PropertyCollector", "propertyCollector"),
].join("");

function machine(uuid: string): string {
  return uuid === "" ? "" : reference("returnval", "VirtualMachine", `vm-${uuid}`);
}

function datastore(path: string): string {
  const { datacenter, datastore: name, datastoreId } = inventory;
  return path === `${datacenter}/datastore/${name}` ? reference("returnval", "Datastore", datastoreId) : "";
}

const values: Readonly<Record<string, string>> = {
  "config.version": textValue(inventory.hardwareVersion),
  "runtime.host": reference("val", "HostSystem", inventory.host),
  "config.product.apiVersion": textValue(inventory.version),
  "summary.url": textValue(inventory.datastoreUrl),
};

function properties(body: string): string {
  const asked = [...body.matchAll(/<pathSet>([^<]*)<\/pathSet>/gu)].map(([, path = ""]) => path);
  const known = asked.filter((path) => Object.hasOwn(values, path));
  return known.map((path) => `<propSet><name>${path}</name>${values[path]}</propSet>`).join("");
}

function textValue(text: string): string {
  return `<val xsi:type="xsd:string">${text}</val>`;
}

function uniqueId(index: number): string {
  return `<uniqueId>policy-${index}</uniqueId>`;
}

function returned(xml: string): string {
  return `<returnval>${xml}</returnval>`;
}

function reference(name: string, type: string, id: string): string {
  return `<${name} type="${type}">${id}</${name}>`;
}

/** As it is written: what comes back is what was sent. */
function textIn(xml: string, name: string): string {
  return new RegExp(`<${name}[^>]*>([^<]*)</${name}>`, "u").exec(xml)?.[1] ?? "";
}

function envelope(body: string): string {
  const namespace = 'xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"';
  return `<?xml version="1.0" encoding="UTF-8"?><e:Envelope ${namespace} ${instance}><e:Body>${body}</e:Body></e:Envelope>`;
}
