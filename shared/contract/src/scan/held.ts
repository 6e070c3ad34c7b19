import * as v from 'valibot'
import { endpoint, may } from '../endpoint.ts'
import { Instant, Uid, Uuid, exact, maybe } from '../fields.ts'
import { limits } from '../limits.ts'
import { pageQuery, wholeNumber } from '../paging.ts'
import { byId } from './params.ts'

const Text = v.string('Text.')
const Numeric = v.number('A number.')

/** Pixels from the left and from the top, counted from 0. */
const pixels = (least: number) =>
  v.pipe(
    v.number('A number of pixels belongs here.'),
    v.integer('A whole number of pixels belongs here.'),
    v.minValue(least, `At least ${least}.`),
    v.maxValue(limits.pictureMaxPixels, `At most ${limits.pictureMaxPixels}.`),
  )

/** A part of a picture that is blackened. */
export const Rectangle = exact({ x: pixels(0), y: pixels(0), width: pixels(1), height: pixels(1) })
export type Rectangle = v.InferOutput<typeof Rectangle>

/** The rectangles of all pictures of one size in a scan. */
export const SizeMask = exact({
  rows: pixels(1),
  columns: pixels(1),
  rectangles: v.pipe(
    v.array(Rectangle, 'The rectangles must be a list.'),
    v.maxLength(limits.maskRectangles, `Use at most ${limits.maskRectangles} rectangles.`),
  ),
})
export type SizeMask = v.InferOutput<typeof SizeMask>

const HeldChoice = {
  masks: v.pipe(
    v.array(SizeMask, 'The masks must be a list.'),
    v.maxLength(limits.maskedSizes, `Mask at most ${limits.maskedSizes} sizes.`),
  ),
  /** Pictures that are not sent, by their instance UID. */
  leftOut: v.pipe(
    v.array(Uid, 'The pictures must be a list.'),
    v.maxLength(limits.heldPicturesLeftOut, `Leave out at most ${limits.heldPicturesLeftOut} single pictures.`),
  ),
}

/**
 * Why a picture is held back: the object says that text is burned in, it is a screenshot, its kind often has text, it
 * is in colour where its modality makes grey pictures, or it is a video.
 */
export const holdReasons = ['Stated', 'Screenshot', 'KindOfImage', 'Colour', 'Video'] as const

/** A scan of a transfer that waits until somebody has looked at its pictures. */
export const HeldScan = v.object({
  id: Uuid,
  transferId: Uuid,
  organizationId: Uuid,
  studyUID: Text,
  seriesUID: Text,
  dstOrganizationName: Text,
  patientName: maybe(Text),
  description: Text,
  modality: Text,
  /** How many pictures are held back. */
  pictures: Numeric,
  startedByUser: maybe(Text),
  createdDate: Instant,
})
export type HeldScan = v.InferOutput<typeof HeldScan>

export const HeldPicture = v.object({
  instanceUID: Text,
  instanceNumber: Numeric,
  reason: v.picklist(holdReasons, 'A reason.'),
  rows: Numeric,
  columns: Numeric,
  frames: Numeric,
  /** Whether parts of it can be blackened; not of a video. */
  canMask: v.boolean('Yes or no.'),
  /** Whether somebody has had it on the screen. */
  isSeen: v.boolean('Yes or no.'),
})
export type HeldPicture = v.InferOutput<typeof HeldPicture>

/** What is held, and what was chosen so far: kept by the server, for whoever goes on. */
export const HeldScanDetail = v.object({
  ...HeldScan.entries,
  /** Changes with the pictures; a decision names the one that it was made on. */
  revision: Text,
  heldPictures: v.array(HeldPicture, 'A list.'),
  ...HeldChoice,
})
export type HeldScanDetail = v.InferOutput<typeof HeldScanDetail>

const sortable = ['createdDate', 'patientName', 'description', 'modality', 'pictures', 'dstOrganizationName'] as const

/** Not in the specification: scans that wait until somebody has looked, the oldest first. */
export const listHeld = endpoint({
  method: 'GET',
  path: '/Scan/listHeld',
  summary: 'Scans whose de-identified copies wait until somebody has looked at their pictures.',
  needs: may('Scan', 'Transfer'),
  query: exact({ ...pageQuery(sortable), organizationId: v.optional(Uuid) }),
  answer: v.array(HeldScan, 'A list.'),
  sortable,
})

/** Not in the specification: what one of them holds. */
export const getHeld = endpoint({
  method: 'GET',
  path: '/Scan/getHeld',
  summary: 'The pictures of a held scan, and what was chosen so far.',
  needs: may('Scan', 'Transfer'),
  query: byId,
  answer: HeldScanDetail,
})

/** Not in the specification: one frame; that somebody has seen the picture is kept. */
export const getHeldPicture = endpoint({
  method: 'GET',
  path: '/Scan/getHeldPicture',
  summary: 'One frame of a held picture as a data URL, or why it cannot be shown.',
  needs: may('Scan', 'Transfer'),
  query: exact({
    id: Uuid,
    instanceUID: Uid,
    frame: v.pipe(wholeNumber('frame', /^\d{1,9}$/), v.minValue(1, 'Frames are counted from 1.')),
    /** As the object wants to be shown, or all values from the lowest to the highest. */
    values: v.optional(v.picklist(['stated', 'all'], 'The values can be stated or all.')),
  }),
  answer: v.object({ picture: maybe(Text), problem: maybe(Text) }),
})

/** Not in the specification: keeps what was chosen so far. */
export const saveHeldChoice = endpoint({
  method: 'PUT',
  path: '/Scan/saveHeldChoice/:id',
  summary: 'Keep the rectangles and the left-out pictures of a held scan for whoever goes on.',
  needs: may('Scan', 'Transfer'),
  params: byId,
  body: exact(HeldChoice),
  bodyLimit: 1_000_000,
})

/** Not in the specification: the end of the wait, once. Sending happens in the background. */
export const decideHeld = endpoint({
  method: 'PUT',
  path: '/Scan/decideHeld/:id',
  summary: 'Send a held scan with its rectangles blackened, or leave it out.',
  needs: may('Scan', 'Transfer'),
  params: byId,
  body: exact({
    decision: v.picklist(['Send', 'LeaveOut'], 'Send or leave out.'),
    revision: v.pipe(Text, v.maxLength(64, 'This is not a revision.')),
    ...HeldChoice,
    /** Pictures that cannot be shown here, such as videos, were looked at elsewhere. */
    isSeenElsewhere: v.boolean('Must be true or false.'),
  }),
  bodyLimit: 1_000_000,
})
