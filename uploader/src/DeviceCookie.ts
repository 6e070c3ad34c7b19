import { readFileSync, renameSync, writeFileSync } from 'node:fs'

const cookieText = /^(?:__Host-)?dmp-device=[\w.-]{1,300}$/

/**
 * The cookie by which the server knows a device that signed in before, kept beside the journal: wrong passwords of
 * strangers then do not make this account wait here. It signs nobody in.
 */
export class DeviceCookie {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  /** As the Cookie header has it; undefined where there is none yet. */
  read(): string | undefined {
    try {
      const text = readFileSync(this.#file, 'utf8').trim()
      return cookieText.test(text) ? text : undefined
    } catch {
      return undefined
    }
  }

  /** Keeps what a sign-in set. A server that sets none, or a full disk, costs nothing but the next sign-in's safety. */
  keep(setCookies: readonly string[]): void {
    const cookie = setCookies.map((line) => line.split(';')[0]?.trim() ?? '').find((text) => cookieText.test(text))
    if (cookie === undefined) return
    try {
      writeFileSync(`${this.#file}.new`, `${cookie}\n`, { mode: 0o600 })
      renameSync(`${this.#file}.new`, this.#file)
    } catch {
      return
    }
  }
}
