/**
 * Who else has a say in what is written: `createAdmission` gives the verbs a chain of plugins, in the order of the real server's.
 * `plugins/` has one or a few of a kind in each file, `quota/` what quotas count, `security/` what Pods may ask for; `admission-plugin.ts` says what a plugin is, and
 * `cluster-objects.ts` is how it looks at other objects.
 *
 * Not there: webhooks and policies in CEL, which call others or run what users write.
 */
export { createAdmission } from "./admission-chain.ts";
