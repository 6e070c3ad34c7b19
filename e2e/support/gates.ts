import type { BrowserContext, ConsoleMessage, Page, Request, Response } from 'playwright/test'

/** What a journey expects to go wrong, said before it happens. */
export interface Gates {
  /** An answer of this status from an address that contains the text is part of the journey. */
  expectStatus(status: number, inUrl: string): void
  /** A request to an address that contains the text may fail (faults that the journey injects). */
  expectFailure(inUrl: string): void
  /** A console error that contains the text is part of the journey. */
  expectError(text: string): void
  /** Everything that should not have happened, one sentence each. */
  problems(): string[]
}

/** P23, P30: over the whole run no console error, no CSP report, no failed request, no request elsewhere, no patient's name in a path or title. */
export async function watch(context: BrowserContext, baseURL: string): Promise<Gates> {
  const home = new URL(baseURL).origin
  const found: string[] = []
  const allowedStatus: [number, string][] = []
  const allowedFailure: string[] = []
  const allowedError: string[] = []
  const patients = new Set<string>()
  const places = new Set<string>()

  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`CSP: ${event.violatedDirective} blocked ${event.blockedURI || event.sample || 'inline'} at ${event.sourceFile ?? ''}:${event.lineNumber}`)
    })
  })

  const onConsole = (message: ConsoleMessage) => {
    // Chromium repeats every answer from 400 on as a console error; those are judged by their status below.
    if (message.type() !== 'error' || message.text().startsWith('Failed to load resource')) return
    if (!allowedError.some((text) => message.text().includes(text))) found.push(`console error: ${message.text()}`)
  }
  const onResponse = (response: Response) => {
    const status = response.status()
    const url = response.url()
    if (/\/Scan\/(list|get)/i.test(url) && status === 200) void namesIn(response, patients)
    if (status < 400 || allowedStatus.some(([code, text]) => code === status && url.includes(text))) return
    found.push(`${status} from ${response.request().method()} ${url}`)
  }
  const onFailure = (request: Request) => {
    const reason = request.failure()?.errorText ?? ''
    // A page that is left ends its open requests; that is not a failure.
    if (reason === 'net::ERR_ABORTED' || allowedFailure.some((text) => request.url().includes(text))) return
    found.push(`request failed (${reason}): ${request.url()}`)
  }
  const onRequest = (request: Request) => {
    const { origin, protocol } = new URL(request.url())
    if (!['data:', 'blob:', 'about:', 'chrome-error:'].includes(protocol) && origin !== home) found.push(`request elsewhere: ${request.url()}`)
  }
  const onPage = (page: Page) => {
    page.on('pageerror', (error) => {
      if (!allowedError.some((text) => error.message.includes(text))) found.push(`uncaught: ${error.message}`)
    })
    page.on('framenavigated', (frame) => {
      // A tab that becomes a download never has an address.
      if (frame !== page.mainFrame() || !URL.canParse(frame.url())) return
      places.add(new URL(frame.url()).pathname)
      void page.title().then((title) => places.add(title), () => undefined)
    })
    page.on('websocket', (socket) => {
      const { host } = new URL(socket.url())
      if (host !== new URL(home).host) found.push(`live channel elsewhere: ${host}`)
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
    problems: () => [
      ...new Set([
        ...found,
        ...[...places].filter((place) => [...patients].some((name) => decodeURIComponent(place).toLowerCase().includes(name))).map((place) => `a patient's name stands in a path or title: ${place}`),
      ]),
    ],
  }
}

async function namesIn(response: Response, patients: Set<string>): Promise<void> {
  const body = await response.text().catch(() => '')
  for (const match of body.matchAll(/"patientName":"([^"]{3,200})"/g)) patients.add((match[1] ?? '').toLowerCase())
}
