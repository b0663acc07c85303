/** Header values are sent as they are; a list is sent as repeated headers, which impersonated groups need. */
export type AuthenticationHeaders = Readonly<Record<string, string | readonly string[]>>;

export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

/** Proves to the API who is calling. Both methods give what is valid now and answer from memory as long as they can. */
export interface Authenticator {
  headers(): Promise<AuthenticationHeaders>;
  /** The same object until the certificate changes, so that connections can be kept by identity. */
  clientCertificate(): Promise<ClientCertificate | undefined>;
  /** The server refused what it was given: the next call fetches anew. */
  invalidate(): void;
}
