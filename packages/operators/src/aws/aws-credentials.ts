import { type Secret, StowageError } from "@stowage/machinery";
import type { Environment } from "@stowage/operator";
import { parseIni } from "../cloud-config/index.ts";
import type { AwsKeys } from "./request-signature.ts";

/** How to become somebody in AWS: by keys, or by a role that a token of the cluster is good for. */
export type AwsCredentials =
  | { readonly keys: AwsKeys }
  | {
      readonly role: {
        readonly arn: string;
        /** Of a token that is renewed in place. */
        readonly tokenFile: string;
      };
    };

/** A Secret as a CredentialsRequest is answered with: a file for AWS' tools, or two keys, or both. The file goes first. */
export function awsCredentialsOf(secret: Secret, env: Environment): AwsCredentials {
  const where = `Secret ${secret.metadata.namespace}/${secret.metadata.name}`;
  const text = (key: string) => Buffer.from(secret.data?.[key] ?? "", "base64").toString("utf8");
  const sections = parseIni(text("credentials"), `${where}, key credentials`);
  const profile = sections.find(({ name }) => name === "default")?.values ?? new Map<string, string>();
  const arn = profile.get("role_arn");
  const tokenFile = env["AWS_WEB_IDENTITY_TOKEN_FILE"] || profile.get("web_identity_token_file");
  if (arn && tokenFile) return { role: { arn, tokenFile } };
  const accessKeyId = profile.get("aws_access_key_id") || text("aws_access_key_id");
  const secretAccessKey = profile.get("aws_secret_access_key") || text("aws_secret_access_key");
  if (accessKeyId && secretAccessKey) return { keys: { accessKeyId, secretAccessKey } };
  throw new StowageError(
    "CLOUD_CONFIG_INVALID",
    `${where} has neither a role with a token's file nor a pair of keys for AWS`,
  );
}
