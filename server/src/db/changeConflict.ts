import { sharedNow } from '../core/clock.ts'
import { Refusal } from '../core/errors.ts'

export interface Conflict {
  /** The field as the call names it. */
  readonly path: string
  /** Said before the values where the form shows no field of its own for it. */
  readonly label?: string
  readonly now: string | null
  readonly wanted: string | null
}

/**
 * Refuses a change made on an older state than the one that is stored, and gives for each field that differs the stored
 * value and the sent one, so that no work is overwritten unseen.
 */
export function refuseIfChanged(
  what: string,
  updatedDate: Date,
  seen: string | undefined,
  clashes: () => readonly Conflict[],
): void {
  if (seen === undefined || Date.parse(seen) === updatedDate.getTime()) return
  const said = (value: string | null) => (value === null || value === '' ? 'empty' : `“${value}”`)
  const fields = clashes()
    .filter(({ now, wanted }) => (now ?? '') !== (wanted ?? ''))
    .map(({ path, label, now, wanted }) => ({
      path,
      message: `${label === undefined ? '' : `${label}: `}Now ${said(now)}; you entered ${said(wanted)}.`,
    }))
  throw new Refusal(
    409,
    'CHANGED_MEANWHILE',
    `Someone else changed ${what} while you were working on it. Check the current values before you save.`,
    fields,
  )
}

/** The instant of a change: now, and later than the one before it, so that two changes never carry the same one. */
export const nextUpdatedDate = (previousDate: Date): Date => new Date(Math.max(sharedNow(), previousDate.getTime() + 1))
