import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { listFiles, listRemotes, readJson, readText, root } from '../workspace/files.ts'

const rooms = {
  always: ['README.md', 'package.json', 'remote.json', 'src', 'tsconfig.json', 'webpack.config.ts'],
  made: ['dist', 'locales', 'node_modules', 'records'],
  source: ['App.tsx', 'index.ts'],
}

const vague = /(^|[-.])(utils?|helpers?|common|misc|managers?|services?)([-.]|$)/i

/** Every remote has the same rooms, so that knowing one means knowing all; and files are named after what they hold. */
export function checkShape(): string[] {
  const dependencies = new Map(listRemotes().map((remote) => [remote, readDependencies(remote)]))
  return [
    ...listRemotes().flatMap((remote) => checkRemote(remote)),
    ...findUnequalDependencies(dependencies),
    ...listFiles('.', /\.(ts|tsx|mjs)$/).flatMap((file) => findMisnamed(file, () => readText(file))),
  ]
}

/** @param checkout where the remote's folder lies */
export function checkRemote(remote: string, checkout: string = root): string[] {
  const problems: string[] = []
  const entries = readdirSync(join(checkout, remote))
  for (const room of rooms.always.filter((name) => !entries.includes(name)))
    problems.push(`${remote}/${room} is missing: every remote has ${rooms.always.join(', ')}.`)
  for (const entry of entries.filter((name) => ![...rooms.always, ...rooms.made].includes(name))) {
    problems.push(
      `${remote}/${entry} is a room that the other remotes do not have. Screens go to src/<segment>/, what two screens share to src/shared/, what two remotes share to shared/kit.`,
    )
  }
  if (!existsSync(join(checkout, remote, 'src'))) return problems
  const inside = readdirSync(join(checkout, remote, 'src'), { withFileTypes: true })
  for (const file of rooms.source.filter((name) => !inside.some((entry) => entry.name === name))) {
    problems.push(
      `${remote}/src/${file} is missing: ${file === 'App.tsx' ? 'the route table, the only exposed module' : 'the entry of the build'}.`,
    )
  }
  if (
    inside.some(({ name }) => name === 'App.tsx') &&
    !/path="\*" element=\{notFound\}/.test(readFileSync(join(checkout, remote, 'src/App.tsx'), 'utf8'))
  ) {
    problems.push(
      `${remote}/src/App.tsx shows an empty page at an address that it does not know: end its routes with <Route path="*" element={notFound} />.`,
    )
  }
  for (const entry of inside) {
    if (entry.isFile() && ![...rooms.source, 'cards.ts', 'search.ts', 'App.test.tsx'].includes(entry.name)) {
      problems.push(
        `${remote}/src/${entry.name}: only the route table stands here. A screen goes to the folder of its URL segment, shared pieces to shared/.`,
      )
    }
    if (entry.isDirectory()) problems.push(...checkSegment(`${remote}/src/${entry.name}`, checkout))
  }
  return problems
}

/**
 * A folder below src/ is a URL segment with its screen, `shared/` for what two screens share, or `dashboard/` for its
 * cards.
 */
function checkSegment(folder: string, checkout: string): string[] {
  const name = basename(folder)
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) return [`${folder}: folders are kebab-case, like their URL segment.`]
  if (name === 'shared') return []
  const suffix = name === 'dashboard' ? 'Card.tsx' : 'Screen.tsx'
  const has = readdirSync(join(checkout, folder)).some((file) => file.endsWith(suffix))
  return has
    ? []
    : [
        `${folder} has no …${suffix}: a folder of a remote is a screen by its URL segment; what screens share goes to shared/.`,
      ]
}

/** Packages that one remote needs beyond the others, for work that no other does. */
const ownNeeds: Readonly<Record<string, readonly string[]>> = {
  'remote-scan': ['@dmp/dicom', '@zip.js/zip.js', 'dicom-parser', 'qr', 'tus-js-client'],
}

const readDependencies = (remote: string): string =>
  Object.keys((readJson(`${remote}/package.json`) as { dependencies: Record<string, string> }).dependencies)
    .filter((name) => !ownNeeds[remote]?.includes(name))
    .sort()
    .join(', ')

/** @param dependencies each remote's beyond its own needs, as one text */
export function findUnequalDependencies(dependencies: ReadonlyMap<string, string>): string[] {
  const [first, ...others] = dependencies
  if (!first) return ['There are no remotes.']
  const [name, common] = first
  return others
    .filter(([, own]) => own !== common)
    .map(
      ([remote, own]) =>
        `${remote} depends on ${own}, but ${name} on ${common}: a library that a screen needs lives behind the kit.`,
    )
}

export function findMisnamed(file: string, read: () => string): string[] {
  const problems: string[] = []
  if (file.split('/').some((part) => vague.test(part)))
    problems.push(`${file}: the name says nothing. Name it after what it holds (its main export).`)
  const name = basename(file, '.tsx')
  if (!file.endsWith('.tsx') || file.endsWith('.test.tsx') || !/^[A-Z]/.test(name)) return problems
  const exports = [...read().matchAll(/^export (?:default )?(?:async )?(?:function|const|class) (\w+)/gm)]
  const [only, ...others] = exports.map((match) => match[1] ?? '')
  if (only !== undefined && others.length === 0 && only.toLowerCase() !== name.toLowerCase())
    problems.push(`${file} exports only ${only}: a file is named after its main export.`)
  return problems
}
