import { readRefusal, toUnreachable, Unreachable, wrongHost } from './answer.ts'
import { readyOrLater, toUnreached, userAgent, type Entry } from './Session.ts'
import { ownCodes } from './ownCodes.ts'
import { exitCodes, Stop } from './stop.ts'

const answerWithinMs = 30_000
const form = /^dmp_[0-9A-Za-z]{49}$/
/** The server tells nobody's name by it; a person tells tokens apart by it, as in the list of API tokens. */
const hintChars = 4

/** A machine's own credential, made by an administrator: no account, no password, no renewal. */
export class ApiToken implements Entry {
  readonly #server: URL
  readonly #token: string
  #isRefused = false
  #isKnown = false

  constructor(server: URL, token: string) {
    if (!form.test(token))
      throw new Stop('This is not an API token. It begins with dmp_ and has 53 characters.', exitCodes.notSignedIn)
    this.#server = server
    this.#token = token
  }

  get hint(): string {
    return this.#token.slice(-hintChars)
  }

  get name(): string {
    return `the API token that ends with ${this.hint}`
  }

  /** Asks the server once whether it lets us upload, so that a wrong token is told before anything is sent. */
  async token(): Promise<string> {
    if (this.#isRefused) throw ended()
    if (!this.#isKnown) await this.#ask()
    this.#isKnown = true
    return this.#token
  }

  ready(): ReturnType<Entry['ready']> {
    return readyOrLater(() => this.token())
  }

  reject(): void {
    this.#isRefused = true
  }

  async signOut(): Promise<void> {
    // There is no session that could end.
  }

  /** An upload of nothing: who may upload is told that nothing came. */
  async #ask(): Promise<void> {
    const response = await this.#send()
    if (response.status === 400) return void (await response.body?.cancel())
    const refusal = await readRefusal(response)
    const { status, message } = refusal
    if (status === 401) throw ended()
    if (status === 403) throw refused(message)
    if (status === 421) throw new Stop(wrongHost(response.url, message))
    if (status === 429 || status >= 500) throw toUnreachable(refusal)
    throw new Stop(`${this.#server.host} is not a Data Management Platform. Is this the right address?`)
  }

  async #send(): Promise<Response> {
    try {
      return await fetch(new URL('/dicom-web/studies', this.#server), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${this.#token}`,
          'content-type': 'multipart/related; type="application/dicom"; boundary=nothing',
          'user-agent': userAgent,
        },
        body: '--nothing--\r\n',
        redirect: 'error',
        signal: AbortSignal.timeout(answerWithinMs),
      })
    } catch (cause) {
      throw new Unreachable(toUnreached(this.#server, cause), { cause })
    }
  }
}

/** The server says the same of all of these, so that a thief learns nothing. */
const ended = (): Stop =>
  new Stop('The API token was ended, or is suspended or expired. Connect again.', exitCodes.notSignedIn, ownCodes.ended)
const refused = (why: string): Stop => new Stop(`The server refused the API token: ${why}`, exitCodes.notSignedIn)
