/** Exit codes, for scripts and schedulers that start the uploader. */
export const exitCodes = { done: 0, notAllSent: 1, usage: 2, notSignedIn: 3, interrupted: 130 } as const

/** Of `service status`, as systemctl has them. */
export const serviceCodes = { notRunning: 3, notInstalled: 4 } as const

/** The reason why the uploader cannot work: one sentence with its cure, never a stack trace. */
export class Stop extends Error {
  readonly exitCode: number
  /** One word of the sentence, by which the window says it in other languages. */
  readonly code: string | undefined
  constructor(sentence: string, exitCode: number = exitCodes.usage, code?: string) {
    super(sentence)
    this.name = 'Stop'
    this.exitCode = exitCode
    this.code = code
  }
}

export const isFull = (cause: unknown): boolean => (cause as NodeJS.ErrnoException | undefined)?.code === 'ENOSPC'

export const fullSentence = (folder: string): string => `There is no room left on the disk of ${folder}.`
