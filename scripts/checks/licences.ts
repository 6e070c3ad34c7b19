import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pnpm } from '../install.mjs'
import { readText, root } from '../workspace/files.ts'
import { runProcess } from '../workspace/runProcess.ts'

const file = 'docs/licences.md'
const table = 'scripts/checks/licences.ts'

/** Licences that let us do what we do, without asking for more than to keep their notice. */
const allowed: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BSL-1.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Zlib',
])

/** Each other licence, package by package, with the reason why it may stay. A star stands for a platform. */
const exceptions: Readonly<Record<string, { readonly licence: string; readonly reason: string }>> = {
  '@axe-core/playwright': { licence: 'MPL-2.0', reason: 'runs in journeys only, unchanged, and is not shipped' },
  'axe-core': { licence: 'MPL-2.0', reason: 'runs in journeys only, unchanged, and is not shipped' },
  '@fontsource-variable/inter': {
    licence: 'OFL-1.1',
    reason: 'the typeface is shipped unchanged and under its own name',
  },
  '@fontsource/inter': { licence: 'OFL-1.1', reason: 'the typeface is shipped unchanged and under its own name' },
  '@img/sharp-libvips-*': {
    licence: 'LGPL-3.0-or-later',
    reason: 'linked dynamically by sharp, unchanged, and can be replaced by another build',
  },
  'caniuse-lite': { licence: 'CC-BY-4.0', reason: 'data that the build reads and that is not shipped' },
  'combine-errors': {
    licence: 'Unknown',
    reason: 'its Readme says MIT, its package.json nothing; comes with tus-js-client',
  },
  'fast-sha256': {
    licence: 'Unlicense',
    reason: 'public domain; comes with standardwebhooks, which verifies in tests, and is not shipped',
  },
  'humanize-number': {
    licence: 'Unknown',
    reason: 'its Readme says MIT, its package.json nothing; comes with the S3 server of the tests and is not shipped',
  },
}

export interface Licensed {
  readonly name: string
  readonly licence: string
}

/**
 * Every installed package has a licence that is allowed, or a reason by name; docs/licences.md lists them. The page
 * says of which lock file and rules it was made: as long as it is of these, only a whole check asks pnpm again.
 */
export async function checkLicences({
  isFixing = false,
  isWhole = false,
}: { readonly isFixing?: boolean; readonly isWhole?: boolean } = {}): Promise<string[]> {
  const [body, mark] = splitPage(readText(file))
  if (!isFixing && !isWhole && mark === markOf(body)) return []
  const { code, text } = await runProcess('npx', ['-y', pnpm, 'licenses', 'list', '--recursive', '--json'], {
    isQuiet: true,
    env: { npm_config_loglevel: 'error' },
  })
  const start = text.indexOf('{')
  if (code !== 0 || start < 0) return [`pnpm could not list the licences: ${text.trim().slice(-300)}`]
  const packages = parseLicences(text.slice(start))
  const problems = findLicenceProblems(packages)
  const page = toPage(packages)
  if (isFixing) writeFileSync(join(root, file), `${page}${problems.length === 0 ? markOf(page) : ''}`)
  else if (page !== body)
    return [...problems, `${file} does not match the installed packages. Run npm run check -- --fix.`]
  return problems
}

const markStart = '\n<!-- of pnpm-lock.yaml and the rules, sha256 '

/** The page, and what it says of its making. */
export function splitPage(text: string): readonly [body: string, mark: string] {
  const at = text.indexOf(markStart)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)]
}

/** Of lock file, rules and the page itself, so that a word that was changed by hand is noticed. */
export function markOf(body: string, sources: readonly string[] = ['pnpm-lock.yaml', table].map(readText)): string {
  const hash = createHash('sha256')
  for (const text of [body, ...sources]) hash.update(createHash('sha256').update(text).digest())
  return `${markStart}${hash.digest('hex')} -->\n`
}

/** What pnpm prints: packages by licence. Builds for one platform stand for those of all. */
export function parseLicences(text: string): Licensed[] {
  const byLicence = JSON.parse(text) as Record<string, { name: string }[]>
  const packages = Object.entries(byLicence).flatMap(([licence, found]) =>
    found.map(({ name }) => ({ name: withoutPlatform(name), licence })),
  )
  const unique = new Map(packages.map((each) => [`${each.name} ${each.licence}`, each]))
  return [...unique.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

const platform = /-(?:linux|linuxmusl|darwin|win32|android|freebsd)-/

const withoutPlatform = (name: string): string => (platform.test(name) ? `${name.split(platform)[0]}-*` : name)

export function findLicenceProblems(packages: readonly Licensed[]): string[] {
  return packages
    .filter(({ name, licence }) => !isAllowed(licence) && exceptions[name]?.licence !== licence)
    .map(
      ({ name, licence }) =>
        `${name} has the licence "${licence}". Take another package, or name it with a reason in ${table}.`,
    )
}

/** `(MIT OR WTFPL)` is allowed by one of them, `MIT AND Zlib` by all. */
const isAllowed = (licence: string): boolean =>
  licence
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((each) => allowed.has(each)))

const toRow = ({ name, licence }: Licensed): string =>
  `| ${name} | ${licence} | ${exceptions[name]?.reason ?? '**no reason yet**'} |`

export function toPage(packages: readonly Licensed[]): string {
  const named = packages.filter(({ licence }) => !isAllowed(licence))
  const byLicence = Map.groupBy(
    packages.filter(({ licence }) => isAllowed(licence)),
    ({ licence }) => licence,
  )
  const rows = [...byLicence]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([licence, found]) => `| ${licence} | ${found.map(({ name }) => name).join(', ')} |`)
  return `# Licences

Made by \`npm run check -- --fix\` from the installed packages: those that are shipped, and those that only build and
test. The list of what one release holds is in that release: \`npm run release -- sbom <part>\`.

## By name, with the reason

| package | licence | why it may stay |
|---|---|---|
${named.map(toRow).join('\n')}

## Allowed

| licence | packages |
|---|---|
${rows.join('\n')}
`
}
