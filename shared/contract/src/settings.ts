/**
 * The settings of the browser, served with the page, so that one build serves every environment.
 * Times come from docs/product.md, section 9; a fraction is allowed everywhere so that tests run in seconds.
 */
import * as v from 'valibot'

const Text = v.string('Text.')
const Time = v.pipe(v.number('A number.'), v.minValue(0, 'Not negative.'))

export const RuntimeSettings = v.object({
  applicationName: Text,
  /** 9.12: the version in the footer. */
  productVersion: Text,
  /** The API's root, without a trailing slash: `/api` or an absolute address. */
  apiRoot: Text,
  /** Address of the live channel: `/live` or an absolute ws(s) address. */
  liveUrl: Text,
  clientId: Text,
  /** Demo accounts and the demo mailbox exist. */
  isDemo: v.boolean('Yes or no.'),
  /** Parts that were still being built when the page went out, in people's words: `the image viewer`. */
  coming: v.optional(v.array(Text)),
  idle: v.object({
    /** 4.13: the idle flow applies only when this is set. */
    required: v.boolean('Yes or no.'),
    idleMinutes: Time,
    timeoutMinutes: Time,
  }),
  /** 9.05: how long a code is valid. */
  mfaMinutes: Time,
  /** 9.06: when tokens are checked and renewed. */
  tokenCheckSeconds: Time,
  tokenRenewBeforeSeconds: Time,
  liveValidateSeconds: Time,
  /** 7.43: the interval of the periodic ping. */
  pingSeconds: Time,
  /** 3.19, 9.12: the values of footer and label. */
  company: v.object({
    name: Text,
    address: Text,
    website: Text,
    ecRepAddress: Text,
    manufactureDate: Text,
    udi: v.object({ number: Text, manufactureDate: Text, version: Text }),
    labelDocumentNumber: Text,
    manualLink: Text,
    termsOfUse: Text,
    year: Text,
  }),
  /**
   * 7.42: address templates; empty means that the app is not set up. `{sessionId} {organizationId} {dataStoreID}
   * {studyUID} {seriesUID} {imageSetID}` are filled in.
   */
  apps: v.object({ viewer: Text, bmd: Text, autometrics: Text }),
  /** Keeps the scan search out of the URL when set. */
  hideScanSearch: v.boolean('Yes or no.'),
  /** For how many days a deleted scan can be taken back; absent or 0 where it cannot. */
  binDays: v.optional(Time),
})
export type RuntimeSettings = v.InferOutput<typeof RuntimeSettings>
