import { policyActions } from '@dmp/contract/endpoint'
import { limits } from '@dmp/contract/limits'
import { saasNames } from '@dmp/contract/organization'
import { labels } from '../language/dataWords.ts'
import { languages } from '../language/languages.ts'
import type { Say } from '../language/textsByPart.ts'

/** What the product said, by the build's own step (`shared/build/jest`). Undefined where a team's tests do without. */
const page = globalThis as { readonly dmpSaid?: ReadonlySet<string>; dmpTexts?: Record<string, Say> }

const shownAttributes = [
  'alt',
  'aria-description',
  'aria-label',
  'aria-roledescription',
  'aria-valuetext',
  'placeholder',
  'title',
] as const

/** Units, and what `Intl` writes as the language does. */
const everywhere =
  /^(?:[A-Z]{2,}|[kKMGT]i?B|bytes?|px|mm|ms|kg|Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec|(?:Jan|Febr)uary|March|April|August|(?:Septem|Octo|Novem|Decem)ber|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|ago|am|pm|(?:day|week|month|year)s?)$/
/** Addresses, commands, code and numbers of releases. */
const codes =
  /\S+@\S+|npm run e2e -- [\w ]+|https?:\/\/\S+|\b(?=\w*\d)[\da-f]{8,}\b|\bremote-\w+|\b\w+\.(?:exe|json|txt)\b/g
/** Names, and what the specification fixes in English for everybody (2.38, 4.07). */
const names = [
  saasNames,
  Object.values(languages).map(({ ownName }) => ownName),
  ['macOS', 'Windows', 'Linux'],
  Object.entries(policyActions),
  limits.deletePhrase,
]

const shown = new Map<string, string>()
const data = new Set<string>()
const labelSet = new Set(labels)
const saidLabels = new Set<string>()

/** Words of the data: what people typed and what the server answered, apart from words that have a translation. */
export function addData(value: unknown): void {
  if (typeof value === 'string') {
    if (!labelSet.has(value)) for (const word of toWords(value)) data.add(word.toLowerCase())
  } else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) addData(inner)
}

const toWords = (text: string): string[] => text.replaceAll(codes, ' ').match(/\p{L}{2,}/gu) ?? []

function note(node: Node): void {
  if (node instanceof Text) {
    const parent = node.parentElement
    if (parent && !parent.closest('script, style, code, kbd, pre, samp')) shown.set(node.data, `<${parent.localName}>`)
  } else if (node instanceof Element) {
    for (const name of shownAttributes) {
      const text = node.getAttribute(name)
      if (text) shown.set(text, name)
    }
    for (const child of node.childNodes) note(child)
  }
}

const observer = new MutationObserver(noteAll)
function noteAll(records: readonly MutationRecord[]): void {
  for (const { type, target, addedNodes } of records)
    if (type === 'childList') for (const node of addedNodes) note(node)
    else note(target)
}

// What is typed may be shown again, in a sentence of the page.
const noteInput = ({ target }: Event): void => {
  if (target instanceof HTMLTextAreaElement) addData(target.value)
  if (target instanceof HTMLInputElement) addData([target.value, ...[...(target.files ?? [])].map(({ name }) => name)])
}

/** Whose screens say everything in the language of the page. */
const watchedParts =
  /[\\/](?:host|remote-(?:account|audit|complaint|organization|registration|scan|user))[\\/](?!.*records\.test)/

let isWatching = false
let mark: ((text: string) => string) | undefined

/** Says each text between marks, as another language than English, until the function is called that it returns. */
export function sayMarked(): () => void {
  const { dmpTexts = {} } = page
  const { page: say } = dmpTexts
  mark = (text) => `«${text}»`
  dmpTexts.page = (text, values) => (values === undefined ? mark?.(text) : undefined)
  return () => {
    mark = undefined
    if (say) dmpTexts.page = say
  }
}

/** Begins to watch, with the drawing of a screen. */
export function watchTexts(): void {
  isWatching = page.dmpSaid !== undefined && watchedParts.test(expect.getState().testPath ?? '')
  if (!isWatching) return
  page.dmpTexts!.host = (word) => {
    if (!labelSet.has(word)) return undefined
    saidLabels.add(word)
    return mark?.(word)
  }
  shown.clear()
  data.clear()
  for (const kind of ['input', 'change']) document.addEventListener(kind, noteInput, true)
  observer.observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: [...shownAttributes],
  })
}

/** Texts and names for screen readers that were on the screen, are no data, and were said without the catalogue. */
export function findUntranslated(): string[] {
  if (!isWatching || mark) return []
  noteAll(observer.takeRecords())
  observer.disconnect()
  for (const kind of ['input', 'change']) document.removeEventListener(kind, noteInput, true)
  // What the server wrote into the page: settings, and what the parts declare.
  for (const script of document.querySelectorAll('script[type="application/json"]'))
    addData(JSON.parse(script.textContent || 'null'))
  addData(names)
  const runs = [...(page.dmpSaid ?? []), ...saidLabels].flatMap((text) => text.split(/\{\w+\}|<\/?\w+>/))
  const longestFirst = [...new Set(runs.map((run) => run.trim()))].filter(Boolean).sort((a, b) => b.length - a.length)
  return [...shown].flatMap(([text, where]) => {
    if (isData(text)) return []
    // A sentence that is shown in two pieces was said as one.
    if (text.trim().includes(' ') && longestFirst.some((run) => run.includes(text.trim()))) return []
    const rest = longestFirst.reduce((left, run) => (left.includes(run) ? without(left, run) : left), text)
    return isData(rest) ? [] : [`“${text.trim()}” (${where})`]
  })
}

/** The text without the run, whose first and last word are no parts of longer ones. */
const without = (text: string, run: string): string => {
  const [before, after] = [/^\p{L}/u.test(run) ? '(?<!\\p{L})' : '', /\p{L}$/u.test(run) ? '(?!\\p{L})' : '']
  return text.replaceAll(new RegExp(before + run.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&') + after, 'gu'), ' | ')
}

const isData = (text: string): boolean =>
  toWords(text).every((word) => data.has(word.toLowerCase()) || everywhere.test(word))
