import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'

interface Entry {
  readonly account: string
  readonly host: string
  readonly organization: string
  readonly journal: string
  /** Whose this machine was before, as long as nobody has said that what lies here is for the other one, too. */
  readonly from?: string
}

/** Whose this machine was, and whose it would be; named with their servers where the names alone do not tell. */
export interface OtherOrganization {
  readonly from: string
  readonly to: string
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

  /** Undefined where this machine was nobody's, or this organization's, when it last sent. */
  findOther({ host }: URL, organization: string): OtherOrganization | undefined {
    const last = this.#read().findLast(({ from }) => from === undefined)
    if (last === undefined || (last.host === host && last.organization === organization)) return undefined
    const name = (own: string, at: string) => (last.organization === organization ? `${own} (${at})` : own)
    return { from: name(last.organization, last.host), to: name(organization, host) }
  }

  /** This account may send once somebody has answered: kept over restarts. */
  ask(account: string, { host }: URL, organization: string, { from }: OtherOrganization): void {
    const others = this.#read().filter((entry) => entry.account !== account)
    this.#write([...others, { account, host, organization, journal: account, from }])
  }

  /** What somebody is to answer before this account sends; an account that has sent before is not asked of. */
  findQuestion(account: string, server: URL, told: string | undefined): OtherOrganization | undefined {
    const own = this.#read().find((entry) => entry.account === account)
    if (own?.from !== undefined)
      return this.findOther(server, own.organization) ?? { from: own.from, to: own.organization }
    return own === undefined && told !== undefined ? this.findOther(server, told) : undefined
  }

  /** Somebody has said that what lies here is for this organization. */
  answer(account: string, server: URL, told: string | undefined): void {
    const all = this.#read()
    const own = all.find((entry) => entry.account === account)
    this.#write(all.filter((entry) => entry !== own))
    this.choose(account, server, own?.organization ?? told)
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
