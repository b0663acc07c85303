import { StowageError } from "@stowage/machinery";
import { CORE_SCHEMA, load } from "js-yaml";

/** A cloud of a `clouds.yaml`. It holds secrets: never log it. */
export interface CloudAccess {
  /** Of Keystone's third version. */
  readonly authUrl: string;
  readonly credentials: CloudCredentials;
  /** Undefined: whatever region the cloud has. */
  readonly region: string | undefined;
  readonly endpointInterface: EndpointInterface;
  /** `verify: false` in the file: the cloud's certificate is not looked at. */
  readonly isVerified: boolean;
}

export type EndpointInterface = "public" | "internal" | "admin";

/** As Keystone is asked for a token. */
export type CloudCredentials =
  | {
      readonly method: "password";
      readonly user: Named & { readonly password: string };
      /** Undefined: where the user belongs by default. */
      readonly project: Named | undefined;
    }
  | {
      readonly method: "application_credential";
      readonly credential: Partial<Named> & { readonly secret: string };
      /** Whose it is; needed when it is told by its name. */
      readonly user: Named | undefined;
    };

/** By its id, or by its name within a domain. */
export type Named =
  | { readonly id: string }
  | { readonly name: string; readonly domain: { readonly id: string } | { readonly name: string } };

/** As the cloud's credentials are called wherever OpenShift makes them. */
const CLOUD_NAME = "openstack";

/** Mistakes are told by what is missing, and never by what is there. */
export function parseCloudsFile(text: string, where: string): CloudAccess {
  const cloud = fieldsOf(fieldsOf(parsed(text, where)["clouds"])[CLOUD_NAME]);
  const auth = fieldsOf(cloud["auth"]);
  const url = textOf(auth, "auth_url");
  if (url === undefined || !URL.canParse(url)) {
    throw invalid(where, `clouds.${CLOUD_NAME}.auth has no auth_url that is one`);
  }
  const endpointInterface = interfaceOf(textOf(cloud, "interface") ?? textOf(cloud, "endpoint_type"));
  if (endpointInterface === undefined) {
    throw invalid(where, `clouds.${CLOUD_NAME}.interface is neither public nor internal nor admin`);
  }
  return {
    authUrl: `${url.replace(/\/+$/u, "").replace(/\/v[23](\.0)?$/u, "")}/v3`,
    credentials: credentialsOf(auth, where),
    region: textOf(cloud, "region_name"),
    endpointInterface,
    isVerified: cloud["verify"] !== false,
  };
}

function parsed(text: string, where: string): Fields {
  try {
    return fieldsOf(load(text, { schema: CORE_SCHEMA }));
  } catch {
    // What the parser says repeats the line, and a password may be on it.
    throw invalid(where, "this is no YAML");
  }
}

function credentialsOf(auth: Fields, where: string): CloudCredentials {
  const user = namedBy(auth, { id: "user_id", name: "username", domain: "user_domain" });
  const secret = textOf(auth, "application_credential_secret");
  if (secret !== undefined) {
    const id = textOf(auth, "application_credential_id");
    const name = textOf(auth, "application_credential_name");
    if (id !== undefined) return { method: "application_credential", credential: { id, secret }, user: undefined };
    if (name === undefined || user === undefined) {
      throw invalid(where, "an application credential needs its id, or its name and its user");
    }
    return { method: "application_credential", credential: { name, secret }, user };
  }
  const password = textOf(auth, "password");
  if (user === undefined || password === undefined) {
    throw invalid(where, `clouds.${CLOUD_NAME}.auth has neither a user with a password nor an application credential`);
  }
  const project = namedBy(auth, { id: "project_id", name: "project_name", domain: "project_domain" });
  return { method: "password", user: { ...user, password }, project };
}

interface NameKeys {
  readonly id: string;
  readonly name: string;
  /** Followed by `_id` or `_name`. */
  readonly domain: string;
}

function namedBy(auth: Fields, keys: NameKeys): Named | undefined {
  const id = textOf(auth, keys.id);
  if (id !== undefined) return { id };
  const name = textOf(auth, keys.name);
  return name === undefined ? undefined : { name, domain: domainOf(auth, keys.domain) };
}

/** `default` is the domain that every cloud has from the start. */
function domainOf(auth: Fields, key: string): { readonly id: string } | { readonly name: string } {
  const find = (suffix: string) => textOf(auth, `${key}_${suffix}`) ?? textOf(auth, `domain_${suffix}`);
  const name = find("name");
  const id = find("id") ?? (name === undefined ? "default" : undefined);
  return id === undefined ? { name: name ?? "" } : { id };
}

/** `publicURL` and the like are of older files. */
function interfaceOf(said = "public"): EndpointInterface | undefined {
  const plain = said.replace(/URL$/u, "");
  return (["public", "internal", "admin"] as const).find((each) => each === plain);
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

/** Numbers are what somebody wrote without quotes: a password of digits, say. */
function textOf(fields: Fields, key: string): string | undefined {
  const value = fields[key];
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function invalid(where: string, what: string): StowageError {
  return new StowageError("CLOUD_CONFIG_INVALID", `${where}: ${what}`);
}
