import { forgetUnsaved, hasUnkept } from '@dmp/kit'
import type { Fault } from './RemoteError.ts'
import { isNewVersionLive } from './useNewVersion.ts'

const key = 'dmp:recovered'
/** A page that fails again this soon is not helped by loading it again. */
const coolDownMs = 10 * 60_000

interface Note {
  readonly at: number
  readonly isTold: boolean
}

/** Faults that say that a file of the page's own release is no longer to be had. */
const outdatedFileFaults: readonly Fault[] = ['http', 'chunk', 'integrity']

export const isOutdatedFile = (fault: Fault): boolean => outdatedFileFaults.includes(fault)

/**
 * Loads the page again, once, where a part of it cannot be loaded because another version is live meanwhile. Forms
 * bring back what was typed (P27); where something would be lost, nothing is done, and the newer version is only
 * offered.
 *
 * @returns whether the page is about to be loaded again
 */
export async function reloadOutdatedPage(reload: () => void = () => location.reload()): Promise<boolean> {
  const before = readNote()
  if (
    hasUnkept() ||
    (before && Date.now() - before.at < coolDownMs) ||
    !(await isNewVersionLive()) ||
    !writeNote({ at: Date.now(), isTold: false })
  )
    return false
  // The browser would ask whether to leave; the drafts stay.
  forgetUnsaved()
  reload()
  return true
}

/** Whether this page was loaded again by itself and that was not said yet; it counts as said from then on. */
export function takeReloadNote(): boolean {
  const note = readNote()
  if (!note || note.isTold) return false
  writeNote({ ...note, isTold: true })
  return true
}

function readNote(): Note | undefined {
  try {
    const note = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Note | null
    return typeof note?.at === 'number' ? note : undefined
  } catch {
    return undefined
  }
}

/** What cannot be remembered could happen for ever. */
function writeNote(note: Note): boolean {
  try {
    sessionStorage.setItem(key, JSON.stringify(note))
    return true
  } catch {
    return false
  }
}
