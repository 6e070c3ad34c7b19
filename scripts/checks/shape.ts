import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { listFiles, readJson, listRemotes, root, readText } from '../workspace/files.ts'

const rooms = {
  always: ['README.md', 'package.json', 'remote.json', 'src', 'tsconfig.json', 'webpack.config.ts'],
  made: ['dist', 'node_modules'],
  source: ['App.tsx', 'index.ts'],
}

const vague = /(^|[-.])(utils?|helpers?|common|misc|managers?|services?)([-.]|$)/i

/** Every remote has the same rooms, so that who knows one knows all; and files are called what they hold. */
export function checkShape(): string[] {
  return [...listRemotes().flatMap(checkRemote), ...checkDependencies(), ...checkNames()]
}

function checkRemote(remote: string): string[] {
  const problems: string[] = []
  const entries = readdirSync(join(root, remote))
  for (const room of rooms.always.filter((name) => !entries.includes(name)))
    problems.push(`${remote}/${room} is missing: every remote has ${rooms.always.join(', ')}.`)
  for (const entry of entries.filter((name) => ![...rooms.always, ...rooms.made].includes(name))) {
    problems.push(
      `${remote}/${entry} is a room that the other remotes do not have. Screens go to src/<segment>/, what two screens share to src/shared/, what two remotes share to shared/kit.`,
    )
  }
  if (!existsSync(join(root, remote, 'src'))) return problems
  const inside = readdirSync(join(root, remote, 'src'), { withFileTypes: true })
  for (const file of rooms.source.filter((name) => !inside.some((entry) => entry.name === name))) {
    problems.push(
      `${remote}/src/${file} is missing: ${file === 'App.tsx' ? 'the route table, the only exposed module' : 'the entry of the build'}.`,
    )
  }
  if (
    inside.some(({ name }) => name === 'App.tsx') &&
    !/path="\*" element=\{notFound\}/.test(readText(`${remote}/src/App.tsx`))
  ) {
    problems.push(
      `${remote}/src/App.tsx shows an empty page at an address that it does not know: end its routes with <Route path="*" element={notFound} />.`,
    )
  }
  for (const entry of inside) {
    if (entry.isFile() && ![...rooms.source, 'cards.ts', 'App.test.tsx'].includes(entry.name)) {
      problems.push(
        `${remote}/src/${entry.name}: only the route table stands here. A screen goes to the folder of its URL segment, shared pieces to shared/.`,
      )
    }
    if (entry.isDirectory()) problems.push(...checkSegment(`${remote}/src/${entry.name}`))
  }
  return problems
}

/**
 * A folder below src/ is a URL segment with its screen, `shared/` for what two screens share, or `dashboard/` for its
 * cards.
 */
function checkSegment(folder: string): string[] {
  const name = basename(folder)
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) return [`${folder}: folders are kebab-case, like their URL segment.`]
  if (name === 'shared') return []
  const wanted = name === 'dashboard' ? 'Card.tsx' : 'Screen.tsx'
  const has = readdirSync(join(root, folder)).some((file) => file.endsWith(wanted))
  return has
    ? []
    : [
        `${folder} has no …${wanted}: a folder of a remote is a screen by its URL segment; what screens share goes to shared/.`,
      ]
}

/** What one remote needs beyond the others, for work that no other does. */
const ownNeeds: Readonly<Record<string, readonly string[]>> = {
  'remote-scan': ['@dmp/dicom', '@zip.js/zip.js', 'dicom-parser', 'tus-js-client'],
}

function checkDependencies(): string[] {
  const needs = (remote: string) =>
    Object.keys((readJson(`${remote}/package.json`) as { dependencies: Record<string, string> }).dependencies)
      .filter((name) => !ownNeeds[remote]?.includes(name))
      .sort()
      .join(', ')
  const [first, ...others] = listRemotes()
  if (!first) return ['There is no remote.']
  return others
    .filter((remote) => needs(remote) !== needs(first))
    .map(
      (remote) =>
        `${remote} depends on ${needs(remote)}, but ${first} on ${needs(first)}: a library that a screen needs lives behind the kit.`,
    )
}

function checkNames(): string[] {
  const problems: string[] = []
  for (const file of listFiles('.', /\.(ts|tsx|mjs)$/)) {
    const parts = file.split('/')
    if (parts.some((part) => vague.test(part)))
      problems.push(`${file}: the name says nothing. Name it after what it holds (its main export).`)
    const name = basename(file, '.tsx')
    if (!file.endsWith('.tsx') || file.endsWith('.test.tsx') || !/^[A-Z]/.test(name)) continue
    const exported = /^export (?:default )?(?:async )?(?:function|const|class) (\w+)/gm
    const names = [...readText(file).matchAll(exported)].map((match) => match[1]?.toLowerCase())
    if (names.length === 1 && names[0] !== name.toLowerCase())
      problems.push(`${file} exports only ${names[0]}: a file is named after its main export.`)
  }
  return problems
}
