import * as v from 'valibot'
import { endpoint, may } from '../endpoint.ts'
import { Email, Instant, Uid, Uuid, atMost, exact, maybe, required } from '../fields.ts'
import { limits } from '../limits.ts'
import { OrganizationLogo } from '../organizationLogo.ts'
import { ImageInstances } from './entities.ts'
import { byId, downloadUrl, ofOrganization, ofSeries } from './params.ts'

const Text = v.string('Text.')
const Numeric = v.number('A number.')
const YesOrNo = v.boolean('Yes or no.')
/** Text that may be left out. */
const ShortText = (max: number) =>
  v.optional(
    v.nullable(
      v.pipe(
        v.string('Text.'),
        v.maxLength(max, () => atMost(max)),
      ),
    ),
    null,
  )

/** A share link as its owner sees it; the link itself is shown once, at creation. */
export const ShareLink = v.object({
  id: Uuid,
  createdByUser: Text,
  createdDate: Instant,
  expireDate: Instant,
  hasPassword: YesOrNo,
  maxUses: maybe(Numeric),
  uses: Numeric,
  lastUsedDate: maybe(Instant),
  revokedDate: maybe(Instant),
  /** What a server of an earlier version does not say is what its links have. */
  allowsDownload: v.optional(YesOrNo, true),
  recipient: maybe(Text),
  hasCode: v.optional(YesOrNo, false),
  /** It opens nothing for as long as its sender is deactivated. */
  isPaused: v.optional(YesOrNo, false),
  /** Until when somebody who opened it can look, even when it is used up meanwhile; null where nobody can. */
  openUntilDate: maybe(Instant),
  /** How many scans it opens. */
  scans: v.optional(Numeric, 1),
  /** Who opened it when, the newest first; the mail address where a code proved it. */
  visits: v.optional(v.array(v.object({ openedDate: Instant, email: maybe(Text) }), 'A list.'), []),
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
        // It is told by telephone or copied, and blanks at its ends are in neither.
        v.trim(),
        v.minLength(limits.sharePasswordMinChars, `Please use at least ${limits.sharePasswordMinChars} characters.`),
        v.maxLength(limits.passwordMaxChars, () => atMost(limits.passwordMaxChars)),
      ),
    ),
    null,
  ),
  maxUses: v.optional(
    v.nullable(
      v.pipe(
        v.number('Must be a number.'),
        v.integer('Enter a whole number.'),
        v.minValue(1, 'Allow at least one opening.'),
        v.maxValue(limits.shareMaxUses, `Allow at most ${limits.shareMaxUses} openings.`),
      ),
    ),
    null,
  ),
  /** Without it the images can only be looked at. */
  allowsDownload: v.optional(YesOrNo, true),
  /** Gets the link by mail. */
  recipient: v.optional(v.nullable(Email), null),
  message: ShortText(limits.shareMessageMaxChars),
  /** Instead of a password: a code that goes to the recipient's address each time. */
  hasCode: v.optional(YesOrNo, false),
}

/** 5.13, as the form has it. */
export const ShareForm = exact(shareEntries)
export type ShareForm = v.InferOutput<typeof ShareForm>

/** A series that a link opens, once it is opened. */
const SharedSeries = v.object({
  seriesUID: Uid,
  modality: Text,
  description: Text,
  /** Frames. */
  images: Numeric,
  imageInstances: ImageInstances,
})

/** A study with the series of it that a person may share, or has shared. */
export const SharedStudy = v.object({
  studyUID: Uid,
  description: Text,
  studyDate: Text,
  patientName: Text,
  patientID: Text,
  birthDate: maybe(Text),
  sex: maybe(Text),
  series: v.array(SharedSeries, 'A list.'),
})
export type SharedStudy = v.InferOutput<typeof SharedStudy>

/** What a visitor of a link sees until the visit or the link ends. */
export const OpenedShare = v.object({ id: Uuid, untilDate: Instant, studies: v.array(SharedStudy, 'A list.') })
export type OpenedShare = v.InferOutput<typeof OpenedShare>

/** The text of a share link's public page: nothing about the patient before it is opened (P25). */
export const SharedScan = v.object({
  expireDate: Instant,
  hasPassword: YesOrNo,
  usesLeft: maybe(Numeric),
  /** The hidden address that a code goes to; null where none is needed. */
  codeGoesTo: maybe(Text),
  allowsDownload: v.optional(YesOrNo, true),
  sharedBy: maybe(v.object({ person: Text, organization: Text, logo: maybe(OrganizationLogo) })),
  studies: v.optional(
    v.array(
      v.object({
        description: Text,
        /** Which of several patients it is of, counted from 1 in the order of the studies; who it is stays unsaid. */
        patient: v.optional(Numeric, 1),
        /** Empty where it is not known, and before a password or a code. */
        studyDate: v.optional(Text, ''),
        modalities: v.array(Text, 'A list.'),
        series: Numeric,
        /** Frames. */
        images: Numeric,
        imageInstances: ImageInstances,
      }),
      'A list.',
    ),
    [],
  ),
  /** For the browser that opened the link, until its visit ends. */
  opened: maybe(OpenedShare),
})
export type SharedScan = v.InferOutput<typeof SharedScan>

/** The secret of a share link. It travels only in bodies, so that no log contains it. */
const ShareToken = v.pipe(
  required(() => 'This link is incomplete.'),
  v.maxLength(200, 'This link is not valid.'),
)

/** 3.14: one screen of the specification names expireInDay expireInDays; either is taken, and one of them is needed. */
const Share = v.pipe(
  exact({
    seriesUID: Uid,
    /** Further scans that the same link opens. */
    alsoSeriesUIDs: v.optional(
      v.pipe(
        v.array(Uid, 'A list.'),
        v.maxLength(limits.scansAtOnce - 1, `Share at most ${limits.scansAtOnce} scans with one link.`),
      ),
      [],
    ),
    ...shareEntries,
    expireInDay: v.optional(Days),
    expireInDays: v.optional(Days),
  }),
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
  summary: 'Create a link with which somebody without an account can look at scans, and download them where allowed.',
  needs: may('Scan', 'Share'),
  params: ofOrganization,
  body: Share,
  answer: downloadUrl,
})

/** Not in the specification: what the dialog names before it shares. */
export const listShareable = endpoint({
  method: 'POST',
  path: '/Scan/listShareable/:organizationId',
  summary: 'The studies of some scans, with every series that can be shared together.',
  needs: may('Scan', 'Share'),
  params: ofOrganization,
  body: exact({
    seriesUIDs: v.pipe(
      v.array(Uid, 'A list.'),
      v.minLength(1, 'Name at least one scan.'),
      v.maxLength(limits.scansAtOnce, `Share at most ${limits.scansAtOnce} scans with one link.`),
    ),
  }),
  answer: v.array(SharedStudy, 'A list.'),
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

const Secrets = {
  token: ShareToken,
  password: ShortText(limits.passwordMaxChars),
  code: ShortText(limits.shareCodeChars),
}

/** The public page `/share/{token}`. Wrong, expired, revoked and used-up links get the same 404. */
export const getShared = endpoint({
  method: 'POST',
  path: '/Scan/getShared',
  summary: 'Who shared what by a link until when, and what it asks for.',
  needs: 'nothing',
  body: exact({ token: ShareToken }),
  answer: SharedScan,
})

/** Counts one use and lets this browser look at the images for some hours. A wrong secret is refused with 400. */
export const visitShared = endpoint({
  method: 'POST',
  path: '/Scan/visitShared',
  summary: 'Open a share link in this browser: a cookie that reads what was shared and nothing else.',
  needs: 'nothing',
  body: exact(Secrets),
  answer: OpenedShare,
})

/** A browser that opened the link downloads without a further use; any other counts one. */
export const openShared = endpoint({
  method: 'POST',
  path: '/Scan/openShared',
  summary: 'A one-time address that downloads the shared scans, where the sender allowed it.',
  needs: 'nothing',
  body: exact(Secrets),
  answer: downloadUrl,
})

/** Answered alike whether or not a mail goes out at once, so that asking often sends no more of them. */
export const sendShareCode = endpoint({
  method: 'POST',
  path: '/Scan/sendShareCode',
  summary: 'Send the code of a share link to its recipient.',
  needs: 'nothing',
  body: exact({ token: ShareToken }),
})

/** For open pages: answered when something about the link changes, else after half a minute; 404 once it has ended. */
export const watchShared = endpoint({
  method: 'POST',
  path: '/Scan/watchShared',
  summary: 'Wait until a share link changes.',
  needs: 'nothing',
  body: exact({ token: ShareToken }),
})
