import { StowageError } from "@stowage/machinery";
import { isBearerToken } from "./bearer-token.ts";
import type { CredentialsConfig, ImpersonationConfig } from "./connection-config.ts";
import { execPlugin } from "./exec-entry.ts";
import type { UserEntry } from "./kubeconfig.ts";
import type { Environment } from "./kubeconfig-paths.ts";
import { inlineOrFile } from "./pem-source.ts";

/** Turns a user entry into credentials, refusing what kubectl refuses. */
export function userCredentials(user: UserEntry, where: string, env: Environment): CredentialsConfig {
  if (user.authProvider !== undefined) {
    throw unsupportedProvider(user.authProvider, where);
  }
  const clientCertificate = clientCertificateOf(user, where);
  const basic = user.username === undefined && user.password === undefined ? undefined : basicOf(user);
  const hasToken = user.token !== undefined || user.tokenFile !== undefined;
  if (basic !== undefined && hasToken) {
    throw new StowageError("KUBECONFIG_CONFLICT", `${where} has both a token and a username or password.`);
  }
  const impersonate = impersonationOf(user, where);
  // As in client-go, a plugin is run only for a user that has no credentials otherwise.
  const exec = basic === undefined && !hasToken && clientCertificate === undefined ? user.exec : undefined;
  return {
    token: user.token === undefined ? undefined : checkedToken(user.token, where),
    tokenFile: user.tokenFile,
    basic,
    clientCertificate,
    exec: exec === undefined ? undefined : execPlugin(exec, where, env),
    impersonate,
  };
}

function basicOf(user: UserEntry): { username: string; password: string } {
  return { username: user.username ?? "", password: user.password ?? "" };
}

function checkedToken(token: string, where: string): string {
  const trimmed = token.trim();
  if (!isBearerToken(trimmed)) {
    throw new StowageError("KUBECONFIG_INVALID", `${where}: token holds spaces or other characters that no token has.`);
  }
  return trimmed;
}

function clientCertificateOf(user: UserEntry, where: string): CredentialsConfig["clientCertificate"] {
  const cert = inlineOrFile(user.clientCertificateData, user.clientCertificate, `${where}: client-certificate-data`);
  const key = inlineOrFile(user.clientKeyData, user.clientKey, `${where}: client-key-data`);
  if (cert === undefined && key === undefined) {
    return undefined;
  }
  if (cert === undefined || key === undefined) {
    const [has, lacks] = cert === undefined ? ["key", "certificate"] : ["certificate", "key"];
    throw new StowageError("KUBECONFIG_CERTIFICATE_INVALID", `${where} has a client ${has} but no client ${lacks}.`, {
      nextStep: `Set client-${lacks} or client-${lacks}-data of the user, or remove the ${has}.`,
    });
  }
  return { cert, key };
}

function impersonationOf(user: UserEntry, where: string): ImpersonationConfig | undefined {
  const asksForMore =
    user.impersonateUid !== undefined ||
    user.impersonateGroups.length > 0 ||
    Object.keys(user.impersonateExtra).length > 0;
  if (user.impersonate === undefined && asksForMore) {
    throw new StowageError("KUBECONFIG_CONFLICT", `${where} sets as-uid, as-groups or as-user-extra without as.`, {
      nextStep: "Name the user to act as by `as`, or remove the others.",
    });
  }
  if (user.impersonate === undefined) {
    return undefined;
  }
  return {
    user: user.impersonate,
    uid: user.impersonateUid,
    groups: user.impersonateGroups,
    extra: user.impersonateExtra,
  };
}

const replacements: Readonly<Record<string, string>> = {
  gcp: "Install gke-gcloud-auth-plugin and run `gcloud container clusters get-credentials` again.",
  azure: "Install kubelogin and run `kubelogin convert-kubeconfig`.",
  oidc: "Use an exec plugin that logs in by OpenID Connect, such as kubectl oidc-login, in place of auth-provider.",
  openstack: "Use the client-keystone-auth exec plugin in place of auth-provider.",
};

function unsupportedProvider(provider: string, where: string): StowageError {
  return new StowageError(
    "AUTH_PROVIDER_UNSUPPORTED",
    `${where} logs in through auth-provider "${provider}", which is not supported.`,
    { nextStep: replacements[provider] },
  );
}
