import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

export const createSecret = (): string => randomBytes(32).toString('base64url')
export const isSame = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
const mostTokens = 8

/** Addresses that are good once, and the cookie that they become. */
export class Entrance {
  readonly #host: string
  readonly #tokens: string[] = []
  readonly #cookie: string

  constructor(host: string) {
    this.#host = host
    this.#cookie = `dmp-window-${host.split(':')[1]}=${createSecret()}`
  }

  createAddress(): string {
    const token = createSecret()
    this.#tokens.push(token)
    this.#tokens.splice(0, this.#tokens.length - mostTokens)
    return `http://${this.#host}/?token=${token}`
  }

  /** The cookie of the browser that came with a token, which is used up; undefined for any other. */
  enter(token: string): string | undefined {
    const place = this.#tokens.findIndex((each) => isSame(each, token))
    if (place < 0) return undefined
    this.#tokens.splice(place, 1)
    return `${this.#cookie}; HttpOnly; SameSite=Strict; Path=/`
  }

  isKnown(cookies: string | undefined): boolean {
    return (cookies ?? '').split('; ').some((each) => isSame(each, this.#cookie))
  }
}
