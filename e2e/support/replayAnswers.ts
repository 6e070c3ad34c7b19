import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Page, Route } from 'playwright/test'
import { aUser } from '@dmp/contract/examples'
import { isSessionCall } from './states.ts'

interface Kept {
  /** The instant that it always is. */
  at: string
  /** Of something that a fresh demo has none of: written by hand from the contract's examples, and never asked anew. */
  isByHand?: true
  /** `/api/Complaint/list?page=1` → the recorded answer; the body in base64 where it is no JSON. */
  answers: Record<string, { status: number; json?: unknown; type?: string; base64?: string }>
}

export interface ReplayedAnswers {
  /** Reads that were asked for and are not among the kept ones. */
  readonly unknown: string[]
  save(): void
}

/**
 * The page gets the answers that are kept in the file, at the instant they were kept, for one and the same person, so
 * that differences between runs and between deployments do not show.
 *
 * @param accept `nothing`: a read that was never answered fails; `missing`: it is asked and kept; `all`: everything is
 *   asked and kept anew
 */
export async function replayAnswers(
  page: Page,
  file: string,
  accept: 'nothing' | 'missing' | 'all',
): Promise<ReplayedAnswers> {
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Kept) : undefined
  const recording: Kept =
    kept && (accept !== 'all' || kept.isByHand) ? kept : { at: new Date().toISOString(), answers: {} }
  const unknown: string[] = []
  await page.clock.setFixedTime(recording.at)
  const { email, fullName } = aUser('super_admin')
  await page.addInitScript(
    ({ at, who }) => {
      const change = (key: string, values: object) => {
        const stored: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
        if (stored) localStorage.setItem(key, JSON.stringify({ ...stored, ...values }))
      }
      change('user', who)
      // The session began by this machine's clock, for which the kept instant may be still to come.
      change('authData', { expireDate: new Date(Date.parse(at) + 600_000).toISOString() })
      if (localStorage.getItem('lastActiveTime') !== null)
        localStorage.setItem('lastActiveTime', String(Date.parse(at)))
    },
    { at: recording.at, who: { email, fullName } },
  )
  await page.route(/\/api\//, async (route) => {
    const request = route.request()
    if (request.method() !== 'GET' || isSessionCall(request.url())) return route.fallback()
    const { pathname, search } = new URL(request.url())
    const recordedAnswer = recording.answers[pathname + search]
    if (recordedAnswer) return give(route, recordedAnswer)
    if (accept === 'nothing') {
      unknown.push(pathname + search)
      return route.abort()
    }
    const response = await route.fetch()
    const type = response.headers()['content-type'] ?? ''
    const newAnswer = type.includes('json')
      ? { status: response.status(), json: (await response.json()) as unknown }
      : { status: response.status(), type, base64: (await response.body()).toString('base64') }
    recording.answers[pathname + search] = newAnswer
    return give(route, newAnswer)
  })
  return { unknown, save: () => writeFileSync(file, `${JSON.stringify(recording, null, 1)}\n`) }
}

const give = (route: Route, { status, json, type, base64 }: Kept['answers'][string]): Promise<void> =>
  base64 === undefined
    ? route.fulfill({ status, json })
    : route.fulfill({ status, contentType: type ?? '', body: Buffer.from(base64, 'base64') })
