import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { compareVersions, versionPattern } from '@dmp/contract/versions'
import { isProgramOf, readStatement, type Statement } from './statement.ts'

interface Judgement {
  /** Versions that did not start: never tried again. */
  readonly bad: readonly string[]
  /** Versions that have started once. */
  readonly good: readonly string[]
}

const kept = 2

/** Programs that came from the server, beside the journal. */
export class Programs {
  readonly #folder: string
  readonly #keys: readonly string[]
  readonly #own: string

  /** `own` is the version of the program that was installed. */
  constructor(stateFolder: string, own: string, keys: readonly string[]) {
    this.#folder = path.join(stateFolder, 'programs')
    this.#own = own
    this.#keys = keys
  }

  /** The newest that is newer than what was installed, is signed, and has not failed; undefined: what was installed. */
  findBest(): string | undefined {
    return this.#list().find((version) => this.read(version) !== undefined)
  }

  /** The program, judged anew each time: whoever can write into the folder still has no key. */
  read(version: string): Buffer | undefined {
    try {
      const statement = readStatement(JSON.parse(readFileSync(this.#place(version, '.json'), 'utf8')))
      const program = readFileSync(this.place(version))
      return statement?.version === version && isProgramOf(program, statement, this.#keys) ? program : undefined
    } catch {
      return undefined
    }
  }

  place(version: string): string {
    return this.#place(version, '.cjs')
  }

  /** Whether it may be installed: newer than anything that runs, and it has not failed here. */
  isWanted(version: string): boolean {
    return compareVersions(version, this.findBest() ?? this.#own) > 0 && !this.#judgement.bad.includes(version)
  }

  /** Throws what the disk says. */
  add(statement: Statement, program: Buffer): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    write(this.place(statement.version), program)
    write(this.#place(statement.version, '.json'), JSON.stringify(statement))
    for (const version of this.#list().slice(kept)) this.#remove(version)
  }

  markGood(version: string): void {
    const { good, bad } = this.#judgement
    if (!good.includes(version)) this.#judge({ good: [...good.slice(-9), version], bad })
  }

  markBad(version: string): void {
    const { good, bad } = this.#judgement
    this.#judge({ good: good.filter((each) => each !== version), bad: [...bad.slice(-9), version] })
    this.#remove(version)
  }

  isGood(version: string): boolean {
    return this.#judgement.good.includes(version)
  }

  isBad(version: string): boolean {
    return this.#judgement.bad.includes(version)
  }

  get #judgement(): Judgement {
    try {
      const { bad = [], good = [] } = JSON.parse(
        readFileSync(path.join(this.#folder, 'judgement'), 'utf8'),
      ) as Partial<Judgement>
      return { bad, good }
    } catch {
      return { bad: [], good: [] }
    }
  }

  #judge(judgement: Judgement): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    write(path.join(this.#folder, 'judgement'), JSON.stringify(judgement))
  }

  /** Versions that are there, newer than the own one and not bad; the newest first. */
  #list(): string[] {
    if (!existsSync(this.#folder)) return []
    const { bad } = this.#judgement
    return readdirSync(this.#folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice('uploader-'.length, -'.json'.length))
      .filter((version) => versionPattern.test(version) && compareVersions(version, this.#own) > 0)
      .filter((version) => !bad.includes(version))
      .sort((a, b) => compareVersions(b, a))
  }

  #remove(version: string): void {
    for (const ending of ['.json', '.cjs']) rmSync(this.#place(version, ending), { force: true })
  }

  #place(version: string, ending: string): string {
    return path.join(this.#folder, `uploader-${version}${ending}`)
  }
}

function write(file: string, content: string | Buffer): void {
  writeFileSync(`${file}.new`, content, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
