import { createController, isConflict, isNotFound, type KubeClient, keyOf, objectKey } from "@stowage/kube";
import { type Secret, type ServiceAccount, secrets, serviceAccounts } from "@stowage/machinery";
import { readTokenKey, signToken } from "../../../apiserver/index.ts";
import { type ControllerDeps, type ControllerPart, queueBackoff, retryOnConflict } from "../../kit/index.ts";
import {
  ACCOUNT_NAME_ANNOTATION,
  filledSecret,
  isOfAccount,
  TOKEN_SECRET_TYPE,
  type TokenIssue,
} from "./token-secret.ts";

/** The index of such Secrets by the account that they name. */
const byAccount = {
  name: "accounts/secretsByAccount",
  valuesOf: ({ metadata, type }: Secret): readonly string[] => {
    const name = metadata.annotations?.[ACCOUNT_NAME_ANNOTATION];
    return name && type === TOKEN_SECRET_TYPE ? [keyOf({ namespace: metadata.namespace, name })] : [];
  },
} as const;

/**
 * Fills the Secrets that somebody has made for the token of a service account.
 *
 * Watches Secrets of type `kubernetes.io/service-account-token` and ServiceAccounts. Writes token, certificate and namespace into the
 * Secrets, deletes them when the account is gone, and takes Secrets that are gone from what the account lists. Does nothing without the
 * key that tokens are signed with.
 */
export function createTokenSecrets(deps: ControllerDeps): ControllerPart {
  const name = "serviceaccount-token-controller";
  const { client, informers, accountTokenKey, rootCertificate } = deps;
  if (accountTokenKey === undefined) return { name, run: () => Promise.resolve() };
  const key = readTokenKey(accountTokenKey);
  const issue: TokenIssue = { rootCertificate, sign: (claims) => signToken(key, claims) };
  const secretCopies = informers.informer(secrets, { fieldSelector: `type=${TOKEN_SECRET_TYPE}` });
  const accounts = informers.informer(serviceAccounts);
  secretCopies.addIndex(byAccount.name, byAccount.valuesOf);
  const filling = createController(deps, {
    name: "serviceaccount_tokens_secret",
    workers: 5,
    backoff: queueBackoff,
    sync: retryOnConflict(async (secretKey) => {
      const secret = secretCopies.objects.getByKey(secretKey);
      if (secret !== undefined) await syncSecret(client, secret, issue);
    }),
  });
  const forgetting = createController(deps, {
    name: "serviceaccount_tokens_service",
    workers: 5,
    backoff: queueBackoff,
    sync: retryOnConflict((reference) => forgetSecret(client, reference)),
  });
  filling.watch(secretCopies);
  const ownSecrets = (account: ServiceAccount) => secretCopies.objects.byIndex(byAccount.name, objectKey(account));
  accounts.addHandler({
    onDelete(account) {
      for (const secret of ownSecrets(account)) filling.queue.add(objectKey(secret));
    },
  });
  secretCopies.addHandler({
    onDelete(secret) {
      for (const account of byAccount.valuesOf(secret)) forgetting.queue.add(`${account}/${secret.metadata.name}`);
    },
  });
  return {
    name,
    async run(signal) {
      await Promise.all([filling.run(signal), forgetting.run(signal)]);
    },
  };
}

async function syncSecret(client: KubeClient, secret: Secret, issue: TokenIssue): Promise<void> {
  const { namespace, name = "", uid, annotations } = secret.metadata;
  const account = await client.find(serviceAccounts, { namespace, name: annotations?.[ACCOUNT_NAME_ANNOTATION] ?? "" });
  if (account === undefined || !isOfAccount(secret, account)) {
    await client.delete(secrets, { namespace, name }, { preconditions: { uid } }).catch((error: unknown) => {
      // Gone, or another of that name.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    });
    return;
  }
  const filled = filledSecret(secret, account, issue);
  if (filled !== undefined) await client.update(secrets, filled);
}

/** `reference`: namespace, account and Secret. */
async function forgetSecret(client: KubeClient, reference: string): Promise<void> {
  const [namespace, name = "", secretName] = reference.split("/");
  const account = await client.find(serviceAccounts, { namespace, name });
  if (account?.secrets?.some((each) => each.name === secretName) !== true) return;
  const rest = account.secrets.filter((each) => each.name !== secretName);
  await client.update(serviceAccounts, { ...account, secrets: rest });
}
