import type { ApiUser } from "../../verbs/api-request.ts";

/** What came of a token: who it is and for which of the audiences asked for, or why not. */
export type TokenAuthentication =
  | RecognisedToken
  | { readonly isRecognised: false; readonly problem: string | undefined };

export interface RecognisedToken {
  readonly isRecognised: true;
  readonly user: ApiUser;
  readonly audiences: readonly string[];
}

/** Not one of ours, so that another may know it; with a problem, it is one of ours and does not count. */
export function unrecognised(problem?: string): TokenAuthentication {
  return { isRecognised: false, problem };
}
