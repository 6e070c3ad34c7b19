import path from 'node:path'
import type webpack from 'webpack'
import type { MapsOnDemandPlugin } from './MapsOnDemandPlugin.ts'

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
}

export interface ReadyFile {
  readonly type: string
  readonly content: Buffer
}

/** What the development server's channel tells pages of a part that was compiled. */
export interface Built {
  readonly action: 'built'
  readonly name: string
  readonly hash: string
  readonly time: number
  readonly warnings: readonly string[]
  readonly errors: readonly string[]
}

/**
 * Says of each part when it is compiled, and has its files from then on. webpack's middleware tells pages nothing, and
 * gives them no file, before every part is compiled that an edit concerns.
 */
export class ReadyParts {
  readonly #compilers = new Map<string, webpack.Compiler>()
  readonly #maps: ReadonlyMap<string, MapsOnDemandPlugin>
  readonly #ready = new Set<string>()
  readonly #waiting: (() => void)[] = []

  constructor(maps: ReadonlyMap<string, MapsOnDemandPlugin>) {
    this.#maps = maps
  }

  watch(compilers: readonly webpack.Compiler[], tell: (built: Built) => void): void {
    for (const compiler of compilers) {
      const name = compiler.name ?? ''
      this.#compilers.set(name, compiler)
      const leave = (): void => void this.#ready.delete(name)
      compiler.hooks.invalid.tap('ReadyParts', leave)
      compiler.hooks.watchRun.tap('ReadyParts', leave)
      compiler.hooks.done.tap({ name: 'ReadyParts', stage: 500 }, (stats) => {
        this.#ready.add(name)
        if (this.#ready.size === this.#compilers.size) for (const go of this.#waiting.splice(0)) go()
        // What went wrong is told by the middleware, in its own words.
        if (!stats.hasErrors()) tell(toBuilt(name, stats))
      })
    }
  }

  /** Resolves when every part is compiled. */
  all(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#ready.size === this.#compilers.size) resolve()
      else this.#waiting.push(resolve)
    })
  }

  /** A file of a part, if the part is compiled and has it. */
  find(part: string, file: string): ReadyFile | undefined {
    const type = types[path.extname(file)]
    const compiler = this.#compilers.get(part)
    if (type === undefined || compiler === undefined || !this.#ready.has(part)) return undefined
    if (file.endsWith('.map')) {
      const map = this.#maps.get(part)?.find(file)
      return map === undefined ? undefined : { type, content: Buffer.from(map) }
    }
    const { outputFileSystem, outputPath } = compiler as unknown as {
      readonly outputFileSystem: { readFileSync(file: string): Buffer; existsSync(file: string): boolean }
      readonly outputPath: string
    }
    const place = path.join(outputPath, file)
    if (!place.startsWith(outputPath + path.sep) || !outputFileSystem.existsSync(place)) return undefined
    return { type, content: outputFileSystem.readFileSync(place) }
  }
}

const toBuilt = (name: string, { hash, startTime, endTime }: webpack.Stats): Built => ({
  action: 'built',
  name,
  hash: hash ?? '',
  time: (endTime ?? 0) - (startTime ?? 0),
  warnings: [],
  errors: [],
})
