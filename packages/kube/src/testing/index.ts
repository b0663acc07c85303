/** For tests of what watches: informers whose events a test makes up. */
export { FakeInformer } from "./fake-informer.ts";
