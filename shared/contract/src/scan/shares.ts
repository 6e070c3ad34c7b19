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

/** 3.14: the specification names this field both expireInDay and expireInDays; the wire has the first. */
const shareEntries = {
  expireInDay: v.pipe(
    v.number('Choose for how many days.'),
    v.integer('Choose whole days.'),
    v.minValue(limits.shareMinDays, `A link lasts at least ${limits.shareMinDays} day.`),
    v.maxValue(limits.shareMaxDays, `A link lasts at most ${limits.shareMaxDays} days.`),
  ),
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
        v.number('Give a number.'),
        v.integer('Give a whole number.'),
        v.minValue(1, 'At least one use.'),
        v.maxValue(limits.shareMaxUses, `At most ${limits.shareMaxUses} uses.`),
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
const ShareToken = v.pipe(required('This link is not complete.'), v.maxLength(200, 'This link is not valid.'))

/** 7.38, 5.13: makes a link for 1 to 7 days. */
export const share = endpoint({
  method: 'POST',
  path: '/Scan/share/:organizationId',
  summary: 'Create a link with which somebody without an account can download one series.',
  needs: may('Scan', 'Share'),
  params: ofOrganization,
  body: exact({ seriesUID: Uid, ...shareEntries }),
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
  summary: 'Until when a share link works and what it asks for.',
  needs: 'nothing',
  body: exact({ token: ShareToken }),
  answer: SharedScan,
})

/** Counts one use and returns a one-time address. A wrong password is refused with 400. */
export const openShared = endpoint({
  method: 'POST',
  path: '/Scan/openShared',
  summary: 'A one-time address that downloads what a share link shows.',
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
