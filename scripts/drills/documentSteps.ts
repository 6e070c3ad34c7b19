import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What a reader does at one place of a document. */
export type DocumentStep =
  /** Edits a file as a diff shows it. */
  | { readonly kind: 'edit'; readonly file: string; readonly diff: string }
  | { readonly kind: 'create'; readonly file: string; readonly text: string }
  | { readonly kind: 'run'; readonly command: string }
  /** Looks at a page of the product, and finds a text there. */
  | { readonly kind: 'look'; readonly path: string; readonly text: string }

export type DocumentChange = Extract<DocumentStep, { readonly file: string }>

export interface DocumentSection {
  readonly title: string
  readonly steps: readonly DocumentStep[]
}

/**
 * The steps of a document, by section: each block of code is a command (`sh`), or a change of the file that the line
 * above it names; "Look at <http://localhost:4000/…>: it says “…”" is a look at a page.
 */
export function readSteps(markdown: string): DocumentSection[] {
  const [, ...sections] = markdown.replace(/^# /m, '\n## ').split(/^## /m)
  return sections.map((section) => {
    const [title = '', ...lines] = section.split('\n')
    return { title, steps: readSection(title, lines) }
  })
}

function readSection(title: string, lines: readonly string[]): DocumentStep[] {
  const steps: DocumentStep[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const look = /^Look at <http:\/\/localhost:4000([^>]{1,200})>: it says “([^”]{1,200})”\.$/.exec(line)
    if (look) steps.push({ kind: 'look', path: look[1] ?? '', text: look[2] ?? '' })
    else if (line.startsWith('Look at')) throw new Error(`In "${title}", this says not where to look: ${line}`)
    if (!line.startsWith('```')) continue
    const end = lines.indexOf('```', at + 1)
    if (end === -1) throw new Error(`In "${title}", a block of code does not end.`)
    const block = lines.slice(at + 1, end)
    if (line === '```sh') steps.push(...block.filter(Boolean).map((command) => ({ kind: 'run', command }) as const))
    else steps.push(readChange(title, line.slice(3), lines.slice(0, at), block))
    at = end
  }
  return steps
}

function readChange(title: string, language: string, above: readonly string[], block: readonly string[]): DocumentStep {
  const file = /^`([^`]{1,200})`$/.exec(above.findLast(Boolean) ?? '')?.[1]
  if (file === undefined)
    throw new Error(`In "${title}", the line above a block of code names no file:\n${block.join('\n')}`)
  const text = `${block.join('\n')}\n`
  return language === 'diff' ? { kind: 'edit', file, diff: text } : { kind: 'create', file, text }
}

/** Changes a text as a diff without line numbers says; `@@` stands between places. Throws if a place is not clear. */
export function applyDiff(text: string, diff: string): string {
  return diff.split(/^@@\n/m).reduce((current, place) => {
    const lines = place.split('\n').slice(0, -1)
    const pick = (left: string) => lines.filter((line) => !line.startsWith(left)).map((line) => `${line.slice(1)}\n`)
    const [previous, next] = [pick('+').join(''), pick('-').join('')]
    const [whole, sought] = [`\n${current}`, `\n${previous}`]
    const at = whole.indexOf(sought)
    if (previous === '' || at === -1) throw new Error(`It does not have these lines:\n${previous}`)
    if (whole.lastIndexOf(sought) !== at) throw new Error(`It has these lines more than once:\n${previous}`)
    return `${whole.slice(0, at)}\n${next}${whole.slice(at + sought.length)}`.slice(1)
  }, text)
}

/** Edits or creates a file below a folder. */
export function writeChange(folder: string, change: DocumentChange): void {
  const path = join(folder, change.file)
  mkdirSync(dirname(path), { recursive: true })
  if (change.kind === 'edit') writeFileSync(path, applyDiff(readFileSync(path, 'utf8'), change.diff))
  else writeFileSync(path, change.text, { flag: 'wx' })
}
