import { forgetUnsaved, hasUnkept } from '@dmp/kit'
import type { Fault } from './RemoteError.ts'
import { isNewVersionLive } from './useNewVersion.ts'

const key = 'dmp:recovered'
/** A page that fails again this soon is not helped by another reload. */
const coolDownMs = 10 * 60_000

interface Note {
  readonly at: number
  readonly isTold: boolean
}

/** Faults that mean that a file of the page's own release is no longer available. */
const outdatedFileFaults: readonly Fault[] = ['http', 'chunk', 'integrity']

export const isOutdatedFile = (fault: Fault): boolean => outdatedFileFaults.includes(fault)

/**
 * Reloads the page once when one of its files cannot be loaded because a newer version went live. Forms restore their
 * drafts (P27). If something would be lost, does nothing: the newer version is then only offered.
 *
 * @returns whether the page is about to reload
 */
export async function reloadOutdatedPage(reload: () => void = () => location.reload()): Promise<boolean> {
  const previousNote = readNote()
  if (
    hasUnkept() ||
    (previousNote && Date.now() - previousNote.at < coolDownMs) ||
    !(await isNewVersionLive()) ||
    !writeNote({ at: Date.now(), isTold: false })
  )
    return false
  // Otherwise the browser would ask whether to leave. The drafts stay.
  forgetUnsaved()
  reload()
  return true
}

/** Returns true once after the page reloaded itself. */
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

/** A reload that cannot be recorded could repeat for ever. */
function writeNote(note: Note): boolean {
  try {
    sessionStorage.setItem(key, JSON.stringify(note))
    return true
  } catch {
    return false
  }
}
