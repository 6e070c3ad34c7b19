import type { BrowserContext, ConsoleMessage, Page, Request, Response } from 'playwright/test'
import { namesOwnSeries } from './dicomFile.ts'
import { isReading } from './reading.ts'
import { collectSecrets } from './secrets.ts'

/** The failures that a journey expects, declared before they happen. */
export interface Gates {
  /** An answer of this status from an address that contains the text is part of the journey. */
  expectStatus(status: number, inUrl: string): void
  /** A request to an address that contains the text may fail (faults that the journey injects). */
  expectFailure(inUrl: string): void
  /** A console error that contains the text is part of the journey. */
  expectError(text: string): void
  /** Requests to this origin and its web sockets are part of the journey. */
  expectElsewhere(origin: string): void
  /** Everything that should not have happened, one sentence each. */
  problems(): Promise<string[]>
}

/**
 * P23, P30: over the whole run no console error, no CSP report, no failed request, no request elsewhere, no patient's
 * name in a path, a title or a console message; and no write, unless the journey states one.
 */
export async function openGates(
  context: BrowserContext,
  baseURL: string,
  { mayWrite = false }: { mayWrite?: boolean } = {},
): Promise<Gates> {
  const home = new URL(baseURL).origin
  const origins = new Set([home])
  const findings: string[] = []
  const allowedStatus: [number, string][] = []
  const allowedFailure: string[] = []
  const allowedError: string[] = []
  const patients = new Set<string>()
  const secrets = new Set<string>()
  const reports: string[] = []
  const places = new Set<string>()
  // Names and titles come a moment after what they belong to.
  const coming = new Set<Promise<unknown>>()
  const later = (work: Promise<unknown>) => {
    const done = work.catch(() => undefined).finally(() => coming.delete(done))
    coming.add(done)
  }

  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(
        `CSP: ${event.violatedDirective} blocked ${event.blockedURI || event.sample || 'inline'} at ${event.sourceFile ?? ''}:${event.lineNumber}`,
      )
    })
  })

  const onConsole = (message: ConsoleMessage) => {
    places.add(message.text())
    // Chromium repeats every answer from 400 on as a console error; those are judged by their status below.
    if (message.type() !== 'error' || message.text().startsWith('Failed to load resource')) return
    if (!allowedError.some((text) => message.text().includes(text))) findings.push(`console error: ${message.text()}`)
  }
  const onResponse = (response: Response) => {
    const status = response.status()
    const url = response.url()
    if (/\/Scan\/(list|get)/i.test(url) && status === 200) later(collectNames(response, patients))
    later(collectSecrets(response).then((words) => words.forEach((word) => secrets.add(word))))
    const { method, path } = { method: response.request().method(), path: new URL(url).pathname }
    // A journey that does not say so beforehand leaves the deployment as it was.
    if (!mayWrite && status < 400 && url.startsWith(home) && !isReading(method, path))
      findings.push(`a write that the journey does not state: ${method} ${path}`)
    // Journeys beside this one delete what they stored, also while it is in a list.
    if (status === 404 && path.endsWith('/thumbnail') && namesOwnSeries(path)) return
    if (status < 400 || allowedStatus.some(([code, text]) => code === status && url.includes(text))) return
    findings.push(`${status} from ${response.request().method()} ${url}`)
  }
  const onFailure = (request: Request) => {
    const reason = request.failure()?.errorText ?? ''
    // A page that is left ends its open requests; that is not a failure.
    if (reason === 'net::ERR_ABORTED' || allowedFailure.some((text) => request.url().includes(text))) return
    findings.push(`request failed (${reason}): ${request.url()}`)
  }
  const onRequest = (request: Request) => {
    const { origin, protocol } = new URL(request.url())
    const leaves = !['data:', 'blob:', 'about:', 'chrome-error:'].includes(protocol)
    if (leaves && !origins.has(origin)) findings.push(`request elsewhere: ${request.url()}`)
    // Our own pages send no referrer.
    if (leaves && request.headers()['referer']) findings.push(`a referrer was sent to ${request.url()}`)
    if (/\/sendApplicationError$/i.test(request.url())) reports.push(request.postData() ?? '')
  }
  const onPage = (page: Page) => {
    page.on('pageerror', (error) => {
      if (!allowedError.some((text) => error.message.includes(text))) findings.push(`uncaught: ${error.message}`)
    })
    page.on('framenavigated', (frame) => {
      // A tab that becomes a download never has an address.
      if (frame !== page.mainFrame() || !URL.canParse(frame.url())) return
      places.add(new URL(frame.url()).pathname)
      later(page.title().then((title) => places.add(title)))
    })
    page.on('websocket', (socket) => {
      const { host } = new URL(socket.url())
      if (![...origins].some((origin) => new URL(origin).host === host))
        findings.push(`live channel elsewhere: ${host}`)
    })
  }
  context.on('console', onConsole)
  context.on('response', onResponse)
  context.on('requestfailed', onFailure)
  context.on('request', onRequest)
  context.on('page', onPage)
  context.pages().forEach(onPage)

  return {
    expectStatus: (status, inUrl) => void allowedStatus.push([status, inUrl]),
    expectFailure: (inUrl) => void allowedFailure.push(inUrl),
    expectError: (text) => void allowedError.push(text),
    expectElsewhere: (origin) => void origins.add(origin),
    async problems() {
      // A page names itself a moment after it has its address.
      for (const page of context.pages()) later(page.title().then((title) => places.add(title)))
      await Promise.all(coming)
      const leaks = [...places].filter((place) => [...patients].some((name) => containsName(name, place)))
      // Links that are mailed have their code in the path (2.06); pages read it once and go on without it.
      const visibleTexts = [...places, ...reports]
        .filter((place) => !place.startsWith('/'))
        .filter((place) => [...secrets].some((word) => place.includes(word)))
      const reported = reports.filter((report) => [...patients].some((name) => containsName(name, report)))
      return [
        ...new Set([
          ...findings,
          ...leaks.map((place) => `a patient's name stands in a path, a title or a message: ${place}`),
          ...visibleTexts.map(
            (place) => `a password, token or code stands in a title, a message or a report: ${place.slice(0, 40)}…`,
          ),
          ...reported.map(() => "a patient's name stands in an error report"),
        ]),
      ]
    },
  }
}

const splitWords = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter(Boolean)

/**
 * Whether every word of the name stands in the text, in whatever order and with whatever between: `Doe^Jane`,
 * `jane-doe`.
 */
function containsName(name: string, text: string): boolean {
  const words = new Set(splitWords(decoded(text)))
  const own = splitWords(name)
  return own.length > 0 && own.every((word) => words.has(word))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

async function collectNames(response: Response, patients: Set<string>): Promise<void> {
  const body = await response.text()
  for (const match of body.matchAll(/"patientName":"([^"]{3,200})"/g)) patients.add(match[1] ?? '')
}
