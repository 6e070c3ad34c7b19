import * as v from 'valibot'
import { endpoint, may } from '../endpoint.ts'
import { Instant, Uid, Uuid, atMost, exact, maybe, required } from '../fields.ts'
import { limits } from '../limits.ts'
import { byId, downloadUrl, ofOrganization, ofSeries } from './params.ts'

const Text = v.string('Text.')
const Numeric = v.number('A number.')

/** A share link as its owner sees it; the link itself is shown once, at creation. */
export const ShareLink = v.object({
  id: Uuid,
  createdByUser: Text,
  createdDate: Instant,
  expireDate: Instant,
  hasPassword: v.boolean('Yes or no.'),
  maxUses: maybe(Numeric),
  uses: Numeric,
  lastUsedDate: maybe(Instant),
  revokedDate: maybe(Instant),
})
export type ShareLink = v.InferOutput<typeof ShareLink>

const Days = v.pipe(
  v.number('Choose a number of days.'),
  v.integer('Choose whole days.'),
  v.minValue(limits.shareMinDays, `A link lasts at least ${limits.shareMinDays} day.`),
  v.maxValue(limits.shareMaxDays, `A link lasts at most ${limits.shareMaxDays} days.`),
)

const shareEntries = {
  expireInDay: Days,
  password: v.optional(
    v.nullable(
      v.pipe(
        v.string('Text.'),
        v.minLength(limits.sharePasswordMinChars, `Please use at least ${limits.sharePasswordMinChars} characters.`),
        v.maxLength(limits.passwordMaxChars, atMost(limits.passwordMaxChars)),
      ),
    ),
    null,
  ),
  maxUses: v.optional(
    v.nullable(
      v.pipe(
        v.number('Must be a number.'),
        v.integer('Enter a whole number.'),
        v.minValue(1, 'Allow at least one download.'),
        v.maxValue(limits.shareMaxUses, `Allow at most ${limits.shareMaxUses} downloads.`),
      ),
    ),
    null,
  ),
}

/** 5.13, as the form has it. */
export const ShareForm = exact(shareEntries)
export type ShareForm = v.InferOutput<typeof ShareForm>

/** The text of a share link's public page before the download: nothing about the patient (P25). */
export const SharedScan = v.object({
  expireDate: Instant,
  hasPassword: v.boolean('Yes or no.'),
  usesLeft: maybe(Numeric),
})
export type SharedScan = v.InferOutput<typeof SharedScan>

/** The secret of a share link. It travels only in bodies, so that no log contains it. */
const ShareToken = v.pipe(required('This link is incomplete.'), v.maxLength(200, 'This link is not valid.'))

/** 3.14: one screen of the specification names expireInDay expireInDays; either is taken, and one of them is needed. */
const Share = v.pipe(
  exact({ seriesUID: Uid, ...shareEntries, expireInDay: v.optional(Days), expireInDays: v.optional(Days) }),
  v.forward(
    v.check(
      ({ expireInDay, expireInDays }) => (expireInDay === undefined) !== (expireInDays === undefined),
      'Choose a number of days.',
    ),
    ['expireInDay'],
  ),
  v.transform(({ expireInDay, expireInDays, ...rest }) => ({
    ...rest,
    // One of them is there.
    expireInDay: expireInDay ?? expireInDays ?? limits.shareDefaultDays,
  })),
)

/** 7.38, 5.13: makes a link for 1 to 7 days. */
export const share = endpoint({
  method: 'POST',
  path: '/Scan/share/:organizationId',
  summary: 'Create a link with which somebody without an account can download one series.',
  needs: may('Scan', 'Share'),
  params: ofOrganization,
  body: Share,
  answer: downloadUrl,
})

/** Not in the specification: the links of a scan. */
export const listShares = endpoint({
  method: 'GET',
  path: '/Scan/listShares',
  summary: 'Share links of a scan, newest first.',
  needs: may('Scan', 'Share'),
  query: ofSeries,
  answer: v.array(ShareLink, 'A list.'),
})

/** Not in the specification: a share link can be revoked (P25). */
export const revokeShare = endpoint({
  method: 'DELETE',
  path: '/Scan/revokeShare/:id',
  summary: 'Revoke a share link at once.',
  needs: may('Scan', 'Share'),
  params: byId,
})

/** The public page `/share/{token}`. Wrong, expired, revoked and used-up links get the same 404. */
export const getShared = endpoint({
  method: 'POST',
  path: '/Scan/getShared',
  summary: 'When a share link expires, and whether it needs a password.',
  needs: 'nothing',
  body: exact({ token: ShareToken }),
  answer: SharedScan,
})

/** Counts one use and returns a one-time address. A wrong password is refused with 400. */
export const openShared = endpoint({
  method: 'POST',
  path: '/Scan/openShared',
  summary: 'A one-time address that downloads the shared scan.',
  needs: 'nothing',
  body: exact({
    token: ShareToken,
    password: v.optional(
      v.nullable(v.pipe(v.string('Text.'), v.maxLength(limits.passwordMaxChars, atMost(limits.passwordMaxChars)))),
      null,
    ),
  }),
  answer: downloadUrl,
})
