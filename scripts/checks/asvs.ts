import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readText, root } from '../workspace/files.ts'

/** The requirements of ASVS 5.0.0: per section the level of each, in their order. */
const levels: Readonly<Record<string, string>> = {
  '1.1': '22',
  '1.2': '1111122223',
  '1.3': '112222222223',
  '1.4': '222',
  '1.5': '123',
  '2.1': '122',
  '2.2': '112',
  '2.3': '12223',
  '2.4': '23',
  '3.1': '3',
  '3.2': '113',
  '3.3': '12223',
  '3.4': '11222233',
  '3.5': '11122333',
  '3.6': '3',
  '3.7': '22333',
  '4.1': '12233',
  '4.2': '23333',
  '4.3': '22',
  '4.4': '1222',
  '5.1': '2',
  '5.2': '112333',
  '5.3': '113',
  '5.4': '222',
  '6.1': '122',
  '6.2': '111111112222',
  '6.3': '11223333',
  '6.4': '112233',
  '6.5': '22222333',
  '6.6': '2223',
  '6.7': '33',
  '6.8': '2222',
  '7.1': '222',
  '7.2': '1111',
  '7.3': '22',
  '7.4': '11222',
  '7.5': '223',
  '7.6': '22',
  '8.1': '1233',
  '8.2': '1123',
  '8.3': '133',
  '8.4': '23',
  '9.1': '111',
  '9.2': '1222',
  '10.1': '22',
  '10.2': '223',
  '10.3': '22223',
  '10.4': '1111122222233333',
  '10.5': '22222',
  '10.6': '22',
  '10.7': '222',
  '11.1': '2233',
  '11.2': '22233',
  '11.3': '11233',
  '11.4': '1222',
  '11.5': '23',
  '11.6': '23',
  '11.7': '33',
  '12.1': '12233',
  '12.2': '11',
  '12.3': '22223',
  '13.1': '2333',
  '13.2': '222223',
  '13.3': '2233',
  '13.4': '1222233',
  '14.1': '22',
  '14.2': '12223333',
  '14.3': '122',
  '15.1': '12233',
  '15.2': '12233',
  '15.3': '1222222',
  '15.4': '3333',
  '16.1': '2',
  '16.2': '22222',
  '16.3': '2222',
  '16.4': '222',
  '16.5': '2223',
  '17.1': '23',
  '17.2': '22223333',
  '17.3': '22',
}

const states = ['met', 'in part', '**not met**', 'operator', 'nothing of the kind'] as const

interface Row {
  readonly id: string
  readonly level: string
  readonly state: string
  readonly reason: string
  readonly references: readonly { readonly file: string; readonly title: string | undefined }[]
}

/** Reads one file; undefined where it is not there. */
export type ReadFile = (file: string) => string | undefined

/** Each requirement of levels 1 and 2 stands once in docs/asvs.md, with tests that exist or a reason. */
export const checkAsvs = (): string[] =>
  findAsvsProblems(readText('docs/asvs.md'), (file) => (existsSync(join(root, file)) ? readText(file) : undefined))

export function findAsvsProblems(text: string, read: ReadFile): string[] {
  const rows = text.split('\n').flatMap(parseRow)
  const expected = Object.entries(levels).flatMap(([section, each]) =>
    [...each].flatMap((level, index) => (level === '3' ? [] : [{ id: `${section}.${index + 1}`, level }])),
  )
  const problems = expected.flatMap(({ id, level }) => {
    const found = rows.filter((row) => row.id === id)
    if (found.length !== 1) return [`${id} stands ${found.length} times in docs/asvs.md; it has to stand once.`]
    return found[0]?.level === level ? [] : [`${id} is of level ${level}; docs/asvs.md says ${found[0]?.level}.`]
  })
  const known = new Set(expected.map(({ id }) => id))
  const unknown = rows.filter(({ id }) => !known.has(id))
  return [
    ...problems,
    ...unknown.map(({ id }) => `${id} is no requirement of level 1 or 2 of ASVS 5.0.0. Take it out of docs/asvs.md.`),
    ...rows.flatMap((row) => judge(row, read)),
  ]
}

function parseRow(line: string): Row[] {
  const [, id = '', level = '', , here = '', shownBy = ''] = line.split('|').map((cell) => cell.trim())
  if (!/^\d+\.\d+\.\d+$/.test(id)) return []
  const [state = '', ...reason] = here.split(': ')
  const references = [...shownBy.matchAll(/`([^`]+)`(?: \*([^*]+)\*)?/g)].map(([, file = '', title]) => ({
    file,
    title,
  }))
  return [{ id, level, state, reason: reason.join(': '), references }]
}

function judge({ id, state, reason, references }: Row, read: ReadFile): string[] {
  if (!states.some((known) => known === state)) return [`${id}: "${state}" is none of ${states.join(', ')}.`]
  if (state === 'met' && references.length === 0) return [`${id} is met, but nothing shows it. Name a test.`]
  if (state !== 'met' && reason === '') return [`${id} is not simply met. Say why behind a colon.`]
  return references.flatMap(({ file, title }) => {
    const text = read(file)
    if (text === undefined) return [`${id} names ${file}, which does not exist.`]
    if (title === undefined)
      return /\.test\.tsx?$/.test(file) ? [`${id} names ${file}, but not which of its tests. Add the title.`] : []
    const isThere = ["'", '"', '`'].some((quote) => text.includes(`${quote}${title}`))
    return isThere ? [] : [`${id} names a test that ${file} does not have: ${title}`]
  })
}
