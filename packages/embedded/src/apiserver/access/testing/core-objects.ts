import type { Store } from "../../store/index.ts";

/** Writes objects of the core group by `serviceaccounts/namespace/name`, with the uid and whatever else is given. */
export async function writeCore(store: Store, place: string, uid: string, rest: CoreFields = {}): Promise<void> {
  const [, ...names] = place.split("/");
  const [name, namespace] = names.toReversed();
  const { metadata, ...body } = rest;
  const object = { metadata: { name, namespace, uid, ...metadata }, ...body };
  await store.transact((transaction) => transaction.put(`/registry/core/${place}`, JSON.stringify(object)));
}

interface CoreFields {
  readonly metadata?: object;
  readonly spec?: object;
  readonly data?: object;
}

export async function removeCore(store: Store, place: string): Promise<void> {
  await store.transact((transaction) => transaction.delete(`/registry/core/${place}`));
}
