import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

export const root = join(import.meta.dirname, '..', '..')

const skipped = new Set(['node_modules', 'dist', 'coverage', 'test-results', 'playwright-report'])

/** Every file of the checkout that a person wrote, as a path from the root; works in a zip without git as well. */
export function listFiles(folder = '.', pattern: RegExp = /./): string[] {
  const files = readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory())
      return skipped.has(entry.name) || entry.name.startsWith('.') ? [] : listFiles(path, pattern)
    return entry.isFile() && pattern.test(entry.name) ? [relative('.', path).split(sep).join('/')] : []
  })
  return files.sort()
}

/** The files of settings that begin with a dot, or lie in such a folder: of editors, pipelines and tools. */
export function listHiddenFiles(): string[] {
  const kept = new Set(['.git', '.cache', '.data'])
  return readdirSync(root, { withFileTypes: true })
    .filter(({ name }) => name.startsWith('.') && !kept.has(name))
    .flatMap((entry) => (entry.isDirectory() ? listFiles(entry.name) : entry.isFile() ? [entry.name] : []))
}

export const readText = (file: string): string => readFileSync(join(root, file), 'utf8')

/** Writes texts by path from the folder. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

export const readJson = (file: string): unknown => JSON.parse(readText(file))

export const listRemotes = (): string[] =>
  readdirSync(root)
    .filter((name) => name.startsWith('remote-'))
    .sort()

export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length
