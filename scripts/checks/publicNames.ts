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
    const { problems, list } = comparePublicNames(listPublicNames(folder), known, file)
    if (!isFixing) return problems
    writeFileSync(join(root, file), `${list.join('\n')}\n`)
    return problems.filter((problem) => !problem.includes(addedWords))
  })

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

/** The names of a package, each behind the entry that it is imported from: `@dmp/kit/form TextField`. */
export function listPublicNames(folder: string): string[] {
  const { name, exports } = readJson(`${folder}/package.json`) as Manifest
  const entries = Object.entries(exports).flatMap(([entry, target]): [string, string][] => {
    if (!/\.tsx?$/.test(target)) return []
    if (!entry.includes('*')) return [[entry, join(folder, target)]]
    const inFolder = join(folder, dirname(target))
    return listFiles(inFolder, /\.ts$/)
      .filter((file) => dirname(file) === inFolder && !/\.test\.ts$|\/index\.ts$/.test(file))
      .map((file) => [entry.replace('*', file.slice(inFolder.length + 1, -'.ts'.length)), file])
  })
  const all = entries.flatMap(([entry, file]) => listNames(file).map((exported) => `${join(name, entry)} ${exported}`))
  // A schema and its type have one name.
  return [...new Set(all)].sort()
}

/** The names that a module exports, also those of modules that it passes on whole. */
function listNames(file: string): string[] {
  const names: string[] = []
  const walk = walkSyntax(file, readText(file))
  for (let step = walk.next(); !step.done; step = walk.next(step.value.node.type === 'Program')) {
    const { type, declaration, specifiers, source, exported } = step.value.node
    if (type === 'ExportNamedDeclaration') {
      names.push(...listDeclared(declaration as SyntaxNode | null))
      for (const specifier of specifiers as SyntaxNode[]) names.push(nameOf(specifier.exported))
    }
    if (type === 'ExportAllDeclaration') {
      if (exported) names.push(nameOf(exported))
      else names.push(...listNames(join(dirname(file), (source as { value: string }).value)))
    }
  }
  return names
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
