/** What the server says when it refuses a call (the error envelope of docs/decisions/0002-the-wire.md). */
export interface Refusal {
  status: number
  code: string
  message: string
  retryAfterMs: number | undefined
}

/** The server could not be reached, or the line broke. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

interface DicomItem {
  [tag: string]: { Value?: unknown[] } | undefined
}

const failed = '00081198'
const failedUnnamed = '0008119A'
const stored = '00081199'
const warningReason = '00081196'
const errorComment = '00000902'
/** Warning of the store: nothing was stored anew, the object was there already. */
const alreadyThere = 0xb007

/** Reads an error answer, whatever stands before the server may have written. */
export async function readRefusal(answer: Response): Promise<Refusal> {
  const body: unknown = await answer.json().catch(() => undefined)
  const { code, message } = (typeof body === 'object' && body !== null ? body : {}) as {
    code?: unknown
    message?: unknown
  }
  return {
    status: answer.status,
    code: typeof code === 'string' ? code : '',
    message: typeof message === 'string' ? message : `The server answered ${answer.status}.`,
    retryAfterMs: retryAfter(answer),
  }
}

export function retryAfter(answer: Response): number | undefined {
  const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined
}

/** What a store answer (PS3.18 10.5.3) says of the one object that was sent; undefined when it says nothing of any. */
export function readStored(
  body: unknown,
): { kind: 'sent' | 'duplicate' } | { kind: 'refused'; reason: string } | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const items = (tag: string) => ((body as DicomItem)[tag]?.Value ?? []) as DicomItem[]
  const problem = [...items(failed), ...items(failedUnnamed)][0]
  if (problem !== undefined)
    return {
      kind: 'refused',
      reason: String(problem[errorComment]?.Value?.[0] ?? 'The server refused it without a reason.'),
    }
  const object = items(stored)[0]
  if (object === undefined) return undefined
  return { kind: object[warningReason]?.Value?.[0] === alreadyThere ? 'duplicate' : 'sent' }
}
