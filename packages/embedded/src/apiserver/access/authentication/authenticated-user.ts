import type { ApiUser } from "../../verbs/api-request.ts";

const authenticatedGroup = "system:authenticated";
const unauthenticatedGroup = "system:unauthenticated";

/** Whoever says nothing about who they are. */
export const anonymousUser: ApiUser = { name: "system:anonymous", groups: [unauthenticatedGroup] };

/** Everybody who was recognised is in one group, unless it says otherwise already. */
export function authenticatedUser(user: ApiUser): ApiUser {
  const { name, groups } = user;
  const isSettled = groups.includes(authenticatedGroup) || groups.includes(unauthenticatedGroup);
  if (name === anonymousUser.name || isSettled) return user;
  return { ...user, groups: [...groups, authenticatedGroup] };
}
