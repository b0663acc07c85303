import { StowageError } from "@stowage/machinery";
import type { AuthenticationHeaders, Authenticator, ClientCertificate } from "./authenticator.ts";
import { isBearerToken } from "./bearer-token.ts";
import { ClientCertificateSource } from "./client-certificate-source.ts";
import type { CredentialsConfig } from "./connection-config.ts";
import { ExecAuthenticator } from "./exec-authenticator.ts";
import type { ExecPluginRun } from "./exec-plugin.ts";
import { impersonationHeaders } from "./impersonation-headers.ts";
import { RotatingFile, type RotatingFileDeps } from "./rotating-file.ts";

export interface AuthenticatorDeps extends RotatingFileDeps {
  readonly plugin: ExecPluginRun;
}

/** The authenticator for a configuration: what the user entry proves itself by, and whom it acts as. */
export function createAuthenticator(credentials: CredentialsConfig, deps: AuthenticatorDeps): Authenticator {
  const source = credentialSource(credentials, deps);
  const impersonation = impersonationHeaders(credentials.impersonate);
  if (Object.keys(impersonation).length === 0) {
    return source;
  }
  return {
    headers: async () => ({ ...(await source.headers()), ...impersonation }),
    clientCertificate: () => source.clientCertificate(),
    invalidate: () => source.invalidate(),
  };
}

function credentialSource(credentials: CredentialsConfig, deps: AuthenticatorDeps): Authenticator {
  if (credentials.exec !== undefined) {
    return new ExecAuthenticator(credentials.exec, deps.plugin, deps.clock);
  }
  const certificate =
    credentials.clientCertificate === undefined
      ? undefined
      : new ClientCertificateSource(credentials.clientCertificate, deps);
  const tokenFile = credentials.tokenFile === undefined ? undefined : new RotatingFile(credentials.tokenFile, deps);
  const fixed = fixedHeaders(credentials);
  return {
    headers: tokenFile === undefined ? async () => fixed : () => tokenFileHeaders(tokenFile, fixed),
    clientCertificate: async (): Promise<ClientCertificate | undefined> => certificate?.read(),
    invalidate: () => {
      certificate?.invalidate();
      tokenFile?.expire();
    },
  };
}

function fixedHeaders({ token, basic }: CredentialsConfig): AuthenticationHeaders {
  if (token !== undefined) {
    return { authorization: `Bearer ${token}` };
  }
  if (basic !== undefined) {
    const pair = Buffer.from(`${basic.username}:${basic.password}`, "utf8").toString("base64");
    return { authorization: `Basic ${pair}` };
  }
  return {};
}

/** The file wins over a token written beside it, which serves until the file can be read. */
async function tokenFileHeaders(file: RotatingFile, fixed: AuthenticationHeaders): Promise<AuthenticationHeaders> {
  try {
    const token = await file.read();
    if (!isBearerToken(token)) {
      throw new StowageError("CREDENTIAL_FILE_UNREADABLE", `${file.path} does not hold a token.`);
    }
    return { authorization: `Bearer ${token}` };
  } catch (error) {
    if ("authorization" in fixed) {
      return fixed;
    }
    throw error;
  }
}
