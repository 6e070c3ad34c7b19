import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { lineAt, listFiles, readText, root } from '../workspace/files.ts'

export interface Page {
  /** Name of the file, without its folder. */
  readonly file: string
  readonly text: string
}

const folder = 'docs/decisions'
const indexFile = `${folder}/README.md`
const [begin, end] = ['<!-- index: made from the pages by `npm run check -- --fix` -->', '<!-- /index -->']

/** Says which decisions lack number, date or status, and which links of the documentation lead nowhere. */
export function checkDecisions(options: { isFixing?: boolean } = {}): string[] {
  const pages = listFiles(folder, /\.md$/)
    .filter((path) => path !== indexFile)
    .map((path) => ({ file: path.slice(folder.length + 1), text: readText(path) }))
  const documents = listFiles('.', /\.md$/).filter((path) => /^docs\/|^[^/]+$|\/README\.md$/.test(path))
  return [
    ...pageProblems(pages),
    ...indexProblems(pages, options),
    ...documents.flatMap((path) => wrongNumbers(path, readText(path))),
    ...documents.flatMap((path) => deadLinks(path, readText(path), (target) => existsSync(join(root, target)))),
  ]
}

export function pageProblems(pages: readonly Page[]): string[] {
  const numbers = Map.groupBy(pages, ({ file }) => file.slice(0, 4))
  return [
    ...pages.flatMap((page) => formProblems(page, numbers)),
    ...[...numbers]
      .filter(([number, namesakes]) => /^\d+$/.test(number) && namesakes.length > 1)
      .map(([number, namesakes]) => {
        const files = namesakes.map(({ file }) => file).join(' and ')
        return `${folder}: ${files} share the number ${number}. Give the newer one the next free number.`
      }),
  ]
}

function formProblems(page: Page, numbers: ReadonlyMap<string, unknown>): string[] {
  const path = `${folder}/${page.file}`
  const [, number] = /^(\d{4})-[a-z0-9-]+\.md$/.exec(page.file) ?? []
  if (!number) return [`${path} has no number. Name it NNNN-what-it-decides.md, with the next free number.`]
  const { title, date, status } = parseHead(page)
  const [, successor] = /^superseded by (\d{4})$/.exec(status) ?? []
  const problems: string[] = []
  if (!title.startsWith(`# ${number} `)) problems.push(`${path}: the first line is not "# ${number} " and a title.`)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || Number.isNaN(Date.parse(date)))
    problems.push(`${path}: the third line has no date. Write "Date: 2026-01-31 · Status: accepted".`)
  if (status !== 'accepted' && !successor)
    problems.push(`${path}: the status is neither "accepted" nor "superseded by NNNN".`)
  if (successor && (successor === number || !numbers.has(successor)))
    problems.push(`${path} is superseded by ${successor}, which does not exist. Write that page or correct the number.`)
  return problems
}

function parseHead({ text }: Page): { title: string; date: string; status: string } {
  const [title = '', , head = ''] = text.split('\n')
  const [, date = '', status = ''] = /^Date: (\S+) · Status: (.+)$/.exec(head) ?? []
  return { title, date, status }
}

/** The list of decisions in their README names every page, with the date and status that the page has. */
function indexProblems(pages: readonly Page[], { isFixing }: { isFixing?: boolean }): string[] {
  const text = readText(indexFile)
  const [head = '', rest = ''] = text.split(begin)
  const tail = rest.split(end)[1]
  if (tail === undefined) return [`${indexFile} no longer has the markers around its list: ${begin} … ${end}`]
  const expected = `${head}${begin}\n${toIndex(pages)}\n${end}${tail}`
  if (text === expected) return []
  if (!isFixing) return [`${indexFile} does not match the decisions. Run npm run check -- --fix.`]
  writeFileSync(join(root, indexFile), expected)
  return []
}

export function toIndex(pages: readonly Page[]): string {
  const rows = pages
    .filter(({ file }) => !file.startsWith('0000'))
    .map((page) => {
      const { title, date, status } = parseHead(page)
      return `| [${page.file.slice(0, 4)}](${page.file}) | ${title.replace(/^# (\d{4} )?/, '')} | ${date} | ${status} |`
    })
  return ['| number | decision | date | status |', '|---|---|---|---|', ...rows].join('\n')
}

/** Links that say one decision and lead to another: `[0023](…/0035-dates.md)`. */
export function wrongNumbers(file: string, text: string): string[] {
  return [...text.matchAll(/\[(\d{4})\]\((?:[\w.-]{1,50}\/){0,8}(\d{4})-/g)]
    .filter(([, said, target]) => said !== target)
    .map((match) => `${file}:${lineAt(text, match.index)} says ${match[1]}, and its link leads to ${match[2]}.`)
}

/** Relative links whose target does not exist; anchors and links to other hosts are not followed. */
export function deadLinks(file: string, text: string, isThere: (path: string) => boolean): string[] {
  return [...text.matchAll(/\]\(([^\s()[\]]{1,300})\)/g)]
    .map((match) => ({ at: match.index, target: (match[1] ?? '').split('#', 1)[0] ?? '' }))
    .filter(({ target }) => target !== '' && !/^[a-z]+:/.test(target))
    .filter(({ target }) => !isThere(join(dirname(file), decodeURI(target))))
    .map(({ at, target }) => `${file}:${lineAt(text, at)} links to ${target}, which does not exist.`)
}
