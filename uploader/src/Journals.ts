import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'

interface Entry {
  readonly account: string
  readonly host: string
  readonly organization: string
  readonly journal: string
}

/** Names what this account has of its own in the state folder; says nothing of the account or the API token. */
export const toAccountName = (server: URL, key: string): string =>
  `${server.host.replace(/[^\w.-]/g, '_')}-${createHash('sha256').update(key).digest('hex').slice(0, 8)}`

/**
 * Which journal an account goes on with: what was sent to an organization is not sent again because its API token is a
 * new one. An account keeps its journal when its organization is renamed.
 */
export class Journals {
  readonly #file: string
  readonly #stateFolder: string

  constructor(stateFolder: string) {
    this.#stateFolder = stateFolder
    this.#file = path.join(stateFolder, 'journals.json')
  }

  /** Returns the name of its journal. `organization` is unique at the server; undefined where nobody told it. */
  choose(account: string, { host }: URL, organization: string | undefined): string {
    const all = this.#read()
    const own = all.find((entry) => entry.account === account)
    if (organization === undefined || own?.organization === organization) return own?.journal ?? account
    const hasBegun = own !== undefined || existsSync(path.join(this.#stateFolder, `${account}.jsonl`))
    const earlier = hasBegun ? own : all.findLast((entry) => entry.host === host && entry.organization === organization)
    const journal = earlier?.journal ?? account
    this.#write([...all.filter((entry) => entry !== own), { account, host, organization, journal }])
    return journal
  }

  #read(): Entry[] {
    try {
      return JSON.parse(readFileSync(this.#file, 'utf8')) as Entry[]
    } catch {
      return [] // Without it each account has a journal of its own, as before.
    }
  }

  #write(entries: readonly Entry[]): void {
    mkdirSync(this.#stateFolder, { recursive: true, mode: 0o700 })
    writeFileSync(`${this.#file}.new`, JSON.stringify(entries), { mode: 0o600 })
    renameSync(`${this.#file}.new`, this.#file)
  }
}
