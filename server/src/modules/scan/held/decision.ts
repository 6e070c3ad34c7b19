import type { Parsed, scan } from '@dmp/contract'
import { Refusal } from '../../../core/errors.ts'
import type { Looks } from '../transfer/seriesCopy.ts'
import { countPictures, findRevision, type HeldPicture } from './heldPictures.ts'
import type { Choice } from './holds.repository.ts'

type Decided = Parsed<typeof scan.decideHeld>

const isSameSize = (mask: { rows: number; columns: number }, picture: { rows: number; columns: number }): boolean =>
  mask.rows === picture.rows && mask.columns === picture.columns

/** Why the decision cannot be followed; `looks` says which pictures somebody has had on the screen. */
export function findProblem(
  { decision, revision, masks, leftOut, isSeenElsewhere }: Decided,
  pictures: readonly HeldPicture[],
  looks: ReadonlyMap<string, boolean>,
): Refusal | undefined {
  if (decision === 'LeaveOut') return undefined
  if (pictures.length === 0)
    return new Refusal(409, 'NO_PICTURES', 'The scan was deleted, so that nothing can be sent. Leave it out.')
  if (revision !== findRevision(pictures))
    return new Refusal(409, 'PICTURES_CHANGED', 'The pictures changed since you looked at them. Look at them again.')
  const gone = new Set(leftOut)
  const sent = pictures.filter(({ instanceUID }) => !gone.has(instanceUID))
  const unseen = sent.filter(({ sha256 }) => !looks.has(sha256)).length
  if (unseen > 0)
    return new Refusal(409, 'NOT_SEEN', `Nobody has looked at ${countPictures(unseen)} yet. Look at all of them first.`)
  const hidden = sent.filter(({ sha256 }) => looks.get(sha256) === false).length
  if (hidden > 0 && !isSeenElsewhere)
    return new Refusal(
      409,
      'NOT_SHOWN',
      `${countPictures(hidden)} cannot be shown here. Leave them out, or confirm that you looked at them elsewhere.`,
    )
  const wanted = masks.filter(({ rectangles }) => rectangles.length > 0)
  const unmaskable = sent.find((picture) => !picture.canMask && wanted.some((mask) => isSameSize(mask, picture)))
  if (unmaskable)
    return new Refusal(
      409,
      'CANNOT_MASK',
      `Nothing can be hidden in picture ${unmaskable.instanceNumber}. Leave it out, or remove the rectangles of its size.`,
    )
  return undefined
}

/** What becomes of each held picture. */
export function toLooks({ masks, leftOut }: Choice, pictures: readonly HeldPicture[]): Looks {
  const gone = new Set(leftOut)
  return new Map(
    pictures.map((picture) => [
      picture.instanceUID,
      gone.has(picture.instanceUID)
        ? 'leave out'
        : { rectangles: masks.filter((mask) => isSameSize(mask, picture)).flatMap(({ rectangles }) => rectangles) },
    ]),
  )
}
