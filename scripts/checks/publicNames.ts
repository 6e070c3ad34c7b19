import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { walkSyntax, type SyntaxNode } from '../../shared/build/src/syntaxTree.ts'
import { listFiles, readJson, readText, root } from '../workspace/files.ts'

/** Packages that teams of other repositories take. */
const packages = ['shared/contract', 'shared/kit']

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, string>>
}

/**
 * Every name that contract and kit export, written down in `exports.txt` of each. What leaves is found before a team of
 * another repository finds it.
 */
export const checkPublicNames = ({ isFixing }: { readonly isFixing: boolean }): string[] =>
  packages.flatMap((folder) => {
    const file = `${folder}/exports.txt`
    const known = existsSync(join(root, file)) ? readText(file).split('\n').filter(Boolean) : []
    const { problems, list } = comparePublicNames(
      listPublicNames(folder).map(({ name }) => name),
      known,
      file,
    )
    if (!isFixing) return problems
    writeFileSync(join(root, file), `${list.join('\n')}\n`)
    return problems.filter((problem) => !problem.includes(addedWords))
  })

const deprecatedFile = 'shared/release/src/deprecatedNames.json'

/** The deprecated names in the list by which the platform tells teams, and counts who still takes them. */
export function checkDeprecatedNames({ isFixing }: { readonly isFixing: boolean }): string[] {
  const named = packages
    .flatMap(listPublicNames)
    .flatMap(({ name, deprecated }) => (deprecated === undefined ? [] : [[name, deprecated] as const]))
  const content = `${JSON.stringify(Object.fromEntries(named), null, 2)}\n`
  if (existsSync(join(root, deprecatedFile)) && readText(deprecatedFile) === content) return []
  if (!isFixing) return [`${deprecatedFile} does not say what is deprecated; npm run check -- --fix writes it.`]
  writeFileSync(join(root, deprecatedFile), content)
  return []
}

const addedWords = 'npm run check -- --fix adds it'

/** What is to be told, and the list with what is new; what has gone stays in it until somebody takes it out. */
export function comparePublicNames(
  present: readonly string[],
  known: readonly string[],
  file: string,
): { readonly problems: string[]; readonly list: string[] } {
  const gone = known.filter((name) => !present.includes(name))
  const added = present.filter((name) => !known.includes(name))
  return {
    problems: [
      ...gone.map(
        (name) =>
          `${file}: ${name} is no longer exported, and whoever uses it stops building. Keep it for a version as @deprecated, or take the line out together with a major changeset.`,
      ),
      ...added.map((name) => `${file}: ${name} is new; ${addedWords}. It needs a minor changeset.`),
    ],
    list: [...known, ...added].sort(),
  }
}

export interface PublicName {
  /** Behind the entry that it is imported from: `@dmp/kit/form TextField`. */
  readonly name: string
  /** What `@deprecated` says of it. */
  readonly deprecated: string | undefined
}

/** The names of a package. */
export function listPublicNames(folder: string): PublicName[] {
  const { name, exports } = readJson(`${folder}/package.json`) as Manifest
  const entries = Object.entries(exports).flatMap(([entry, target]): [string, string][] => {
    if (!/\.tsx?$/.test(target)) return []
    if (!entry.includes('*')) return [[entry, join(folder, target)]]
    const inFolder = join(folder, dirname(target))
    return listFiles(inFolder, /\.ts$/)
      .filter((file) => dirname(file) === inFolder && !/\.test\.ts$|\/index\.ts$/.test(file))
      .map((file) => [entry.replace('*', file.slice(inFolder.length + 1, -'.ts'.length)), file])
  })
  const all = entries.flatMap(([entry, file]) =>
    listNames(file).map((exported) => ({ ...exported, name: `${join(name, entry)} ${exported.name}` })),
  )
  // A schema and its type have one name.
  const byName = new Map(all.map((exported) => [exported.name, exported]))
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The names that a module exports, also those of modules that it passes on whole. */
function listNames(file: string): PublicName[] {
  const names: PublicName[] = []
  const text = readText(file)
  const walk = walkSyntax(file, text)
  for (let step = walk.next(); !step.done; step = walk.next(step.value.node.type === 'Program')) {
    const { type, declaration, specifiers, source, exported, start } = step.value.node
    const deprecated = findDeprecation(text.slice(0, start))
    if (type === 'ExportNamedDeclaration') {
      const own = [
        ...listDeclared(declaration as SyntaxNode | null),
        ...(specifiers as SyntaxNode[]).map((specifier) => nameOf(specifier.exported)),
      ]
      names.push(...own.map((name) => ({ name, deprecated })))
    }
    if (type === 'ExportAllDeclaration') {
      if (exported) names.push({ name: nameOf(exported), deprecated })
      else names.push(...listNames(join(dirname(file), (source as { value: string }).value)))
    }
  }
  return names
}

/** What the doc comment right before an export says of its end, in its first sentence. */
function findDeprecation(before: string): string | undefined {
  const text = before.trimEnd()
  if (!text.endsWith('*/')) return undefined
  const words = text
    .slice(text.lastIndexOf('/**') + '/**'.length, -'*/'.length)
    .split('\n')
    .map((line) => line.trim())
    .map((line) => (line.startsWith('* ') ? line.slice(2) : line))
    .join(' ')
  const [, deprecation] = words.split('@deprecated ')
  const [sentence = ''] = deprecation?.trim().split('. ') ?? []
  return sentence === '' ? undefined : sentence.endsWith('.') ? sentence.slice(0, -1) : sentence
}

const nameOf = (node: unknown): string => (node as { name: string }).name

function listDeclared(declaration: SyntaxNode | null): string[] {
  if (declaration === null) return []
  if (declaration.type !== 'VariableDeclaration') return [nameOf(declaration.id)]
  return (declaration.declarations as SyntaxNode[]).flatMap(({ id }) => {
    const pattern = id as SyntaxNode
    if (pattern.type === 'Identifier') return [nameOf(pattern)]
    return (pattern.properties as SyntaxNode[]).map(({ value }) => nameOf(value))
  })
}
