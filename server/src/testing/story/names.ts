import { storyStart } from './clock.ts'

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g
const instant = /\b(\d{4})-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?/g
const dayMs = 86_400_000
/** What is earlier was there before the story: the demo's rows, whose times are those of whoever prepared them. */
const begins = storyStart - 100 * dayMs
const pad = (value: number): string => String(value).padStart(2, '0')

/** `day 2 09:05`: the minute, as the machine may take seconds for a step. */
export function showTime(ms: number): string {
  if (ms < begins) return '<earlier>'
  const day = Math.floor((ms - storyStart) / dayMs + 9 / 24)
  const time = new Date(ms)
  return `<day ${day + 1} ${pad(time.getUTCHours())}:${pad(time.getUTCMinutes())}>`
}

/**
 * Names for what is different in every run: ids by the table of their row, everything else by its kind, each numbered
 * in the order in which it comes into the story. The same value has the same name everywhere.
 */
export class Names {
  readonly #names = new Map<string, string>()
  readonly #counts = new Map<string, number>()
  readonly #words: [RegExp, string][] = []

  #number(kind: string): string {
    const count = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, count)
    return `<${kind}:${count}>`
  }

  /** The name of a value of this kind. */
  of(kind: string, value: string, label?: string): string {
    const known = this.#names.get(value)
    if (known !== undefined) return known
    const name = label === undefined ? this.#number(kind) : `<${label}>`
    this.#names.set(value, name)
    return name
  }

  has(value: string): boolean {
    return this.#names.has(value)
  }

  /** A short secret, which is one only as a word of its own. */
  addWord(kind: string, value: string): void {
    if (this.#names.has(`${kind} ${value}`)) return
    const name = this.of(kind, `${kind} ${value}`)
    this.#words.push([new RegExp(`(?<![\\w.-])${value.replaceAll(/\W/g, '\\$&')}(?![\\w-])`, 'g'), name])
  }

  /** A text in which no two runs differ. */
  readonly apply = (text: string): string => this.#replace(text, (kind, value) => this.of(kind, value))

  /** The same for putting things in order: what has no name yet is like everything else that has none. */
  mask(text: string): string {
    return this.#replace(text, (kind, value) => this.#names.get(value) ?? `<${kind}>`)
  }

  /** Of an id of which a text says the first letters. */
  #nameOfStart(start: string): string {
    const [, name] = [...this.#names].find(([value]) => value.startsWith(start)) ?? []
    return name ?? '<id>'
  }

  #replace(text: string, name: (kind: string, value: string) => string): string {
    let result = text
      .replaceAll(/\beyJ[\w-]{10,}\.[\w-]+\.[\w-]+/g, '<jwt>')
      .replaceAll(uuid, (value) => name('id', value))
      .replaceAll(/(?<="(?:payload|sig)": ")[\w+/]{40,}=*/g, (value) => name('signed', value))
      .replaceAll(instant, (value) => {
        // A time that people read says no zone, or names it behind: its digits are the fact, wherever the machine is.
        const hasZone = /(?:Z|[+-]\d{2}(?::?\d{2})?)$/.test(value.slice(11))
        const ms = Date.parse(`${value.replace(' ', 'T').replace(/([+-]\d{2})$/, '$1:00')}${hasZone ? '' : 'Z'}`)
        return Number.isNaN(ms) ? value : showTime(ms)
      })
      .replaceAll(/\b20(?:2[6-9]|3[0-8])-\d{2}-\d{2}\b/g, '<an earlier day>')
      .replaceAll(/\b2\.25\.\d{20,}/g, (value) => name('uid', value))
      .replaceAll(/(?<![\w-])[0-9a-f]{64}(?![\w-])/g, (value) => name('hash', value))
      .replaceAll(/(?<![\w-])[0-9a-f]{32}(?![\w-])/g, (value) => name('key', value))
      .replaceAll(/(?<=keyId: "|key_id: ")[0-9a-f]{12}/g, (value) => name('key', value))
      // One in 1,500 of the 43 letters that say 32 bytes has no digit.
      .replaceAll(
        /(?<![\w/+-])(?=[\w/+-]*\d|[\w+-]{40})(?=[\w/+-]*[a-z])(?=[\w/+-]*[A-Z])[\w+-]{20,}=*(?![\w-])/g,
        (value) => name('secret', value),
      )
      .replaceAll(/(?<=\/)(?=[\w-]*\d|[\w-]{40})(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{20,}(?![\w-])/g, (value) =>
        name('secret', value),
      )
      .replaceAll(/\bANON-[0-9A-F]{10}\b/gi, (value) => name('pseudonym', value.toUpperCase()))
      .replaceAll(/(?<=\bscans\/[^/]{1,80}\/)[0-9a-f]{4}(?=\/<uid)/g, '<fold>')
      .replaceAll(/(?<=\bproduct: "v)\d[^"]{0,40}/g, '<version>')
      .replaceAll(/~[0-9a-f]{12}\b/g, '~<stamp>')
      .replaceAll(/\bboundary=dmp-[0-9a-f]+/g, 'boundary=<boundary>')
      .replaceAll(/\b[B-Z]{4}-[B-Z]{4}\b/g, '<user code>')
      .replaceAll(/\bDMP[0-9A-F]{10}\b/g, (value) => name('title', value))
      .replaceAll(/(?<=export-\d{4}-\d{2}-\d{2}-)[0-9a-f]{8}(?=\.zip)/g, (value) => this.#nameOfStart(value))
      .replaceAll(/(localhost|127\.0\.0\.1):\d{4,5}\b/g, '$1:<port>')
      // A key of a team, and what is signed with it; ids of releases are as long, and those of their content.
      .replaceAll(/(?<=\/provenance\.|\/drawn\.[0-9a-f]{16}\.|"keyid": ")[0-9a-f]{16}(?=["/.])/g, (value) =>
        name('team key', value),
      )
      .replaceAll(/\b22\d{11}\b/g, (value) => showTime(Number(value)))
    for (const [word, its] of this.#words) result = result.replaceAll(word, its)
    return result
  }
}
