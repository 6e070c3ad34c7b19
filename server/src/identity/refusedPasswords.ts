import { readFileSync } from 'node:fs'
import { Refusal } from '../core/errors.ts'
import { StartFailure } from '../core/StartFailure.ts'

/**
 * Clause 5.01 has the whole rule for passwords; an installation may besides keep a list of those that no user may
 * choose, such as breached ones or words of its own. Compared without regard to case.
 */
export function refusedPasswords(file: string | undefined): (password: string, field: string) => void {
  if (file === undefined) return () => undefined
  const listed = new Set(readLines(file))
  return (password, field) => {
    if (!listed.has(password.toLowerCase())) return
    const message = 'This password is known to guessers. Please choose another one.'
    throw new Refusal(400, 'KNOWN_PASSWORD', message, [{ path: field, message }])
  }
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').toLowerCase().split(/\r?\n/).filter(Boolean)
  } catch {
    throw new StartFailure(
      `The list of refused passwords ${file} cannot be read. Correct DMP_REFUSED_PASSWORDS, or leave it out.`,
    )
  }
}
