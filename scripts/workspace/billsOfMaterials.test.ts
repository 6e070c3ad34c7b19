import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { BillOfMaterialsPlugin } from '../../shared/build/src/BillOfMaterialsPlugin.ts'
import { compile } from '../../shared/build/src/build.ts'
import { activate, openFolderStore, publish } from '../../shared/release/src/index.ts'
import { aBuild } from '../../shared/release/src/testing/aBuild.ts'
import { nodeVersion } from '../../uploader/targets.ts'
import { writeBills } from './billsOfMaterials.ts'
import { root } from './files.ts'

interface Component {
  readonly type: string
  readonly 'bom-ref': string
  readonly group?: string
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly licenses: readonly {
    readonly license?: { readonly id?: string; name?: string }
    readonly expression?: string
  }[]
  readonly externalReferences?: readonly {
    readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
  }[]
}
interface Bill {
  readonly bomFormat: string
  readonly specVersion: string
  readonly version: number
  readonly serialNumber?: string
  readonly metadata: { readonly component: Component; readonly tools: { readonly components: readonly unknown[] } }
  readonly components: readonly Component[]
  readonly dependencies?: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[]
}

const work = mkdtempSync(join(tmpdir(), 'dmp-bills-'))
const packages = join(root, 'shared/release/node_modules')
/** A part whose bundle holds these packages, live in the store that is served. */
async function build(name: string, code: string): Promise<string> {
  const folder = mkdtempSync(join(work, 'part-'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version: '1.0.0', license: 'UNLICENSED' }))
  writeFileSync(join(folder, 'main.js'), code)
  await compile({
    name,
    mode: 'production',
    context: folder,
    entry: './main.js',
    resolve: { modules: [packages] },
    output: { path: join(folder, 'dist') },
    plugins: [new BillOfMaterialsPlugin()],
    cache: false,
  })
  const dist = aBuild(name, name)
  copyFileSync(join(folder, 'dist/sbom.cdx.json'), join(dist, 'sbom.cdx.json'))
  return dist
}

const bills = new Map<string, Bill>()
const releases = process.env.DMP_RELEASES
beforeAll(async () => {
  process.env.DMP_RELEASES = join(work, 'releases')
  const store = openFolderStore(process.env.DMP_RELEASES)
  const both = `import * as semver from 'semver'\nimport * as v from 'valibot'\nconsole.log(semver.valid, v.parse)`
  const parts = [
    await publish(store, await build('host', both), { commit: 'abc' }),
    await publish(store, await build('remote-one', `import * as v from 'valibot'\nconsole.log(v.parse)`), {
      commit: 'abc',
    }),
    // Published before releases had such a list.
    await publish(store, aBuild('remote-old', 'old'), { commit: 'abc' }),
  ]
  await activate(store, { parts }, { by: 'the tests' })
  await publish(store, await build('remote-unlive', both), { commit: 'abc' })
  const bill = join(work, 'sbom')
  for (const file of await writeBills(bill))
    bills.set(basename(file, '.cdx.json'), JSON.parse(readFileSync(file, 'utf8')) as Bill)
  expect(
    readdirSync(bill)
      .map((name) => basename(name, '.cdx.json'))
      .sort(),
  ).toEqual([...bills.keys()].sort())
})
afterAll(() => {
  if (releases === undefined) delete process.env.DMP_RELEASES
  else process.env.DMP_RELEASES = releases
  rmSync(work, { recursive: true, force: true })
})

const fullName = ({ group, name }: Component): string => (group === undefined ? name : `${group}/${name}`)
const toLicence = ({ licenses }: Component): string | undefined =>
  licenses?.[0]?.expression ?? licenses?.[0]?.license?.id ?? licenses?.[0]?.license?.name
const toNames = (bill: Bill | undefined): string[] =>
  (bill?.components ?? []).map((each) => `${fullName(each)}@${each.version}`).sort()

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}
const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

/** Where Node finds the package; undefined where it is made for another platform, and was not installed. */
function findFolder(from: string, name: string): string | undefined {
  const folder = join(from, 'node_modules', name)
  if (existsSync(join(folder, 'package.json'))) return realpathSync(folder)
  return dirname(from) === from ? undefined : findFolder(dirname(from), name)
}

/**
 * What is installed with a part of the workspace, by what lies in its folders: not by what pnpm says of them. Whether a
 * peer that may be missing is there for this part or for its tests, the folders do not say.
 */
function installedWith(folder: string, withOptional: boolean, found = new Set<string>()): ReadonlySet<string> {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} } = readManifest(folder)
  const peers = Object.keys(peerDependencies ?? {}).filter(
    (name) => withOptional || !peerDependenciesMeta[name]?.optional,
  )
  for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
    const there = findFolder(folder, name)
    if (there === undefined || found.has(there)) continue
    found.add(there)
    installedWith(there, withOptional, found)
  }
  return found
}
const toName = (folder: string): string => {
  const { name, version } = readManifest(folder)
  return `${name}@${version}`
}

describe('the lists of what the product is made of', () => {
  it('are there for the server, the uploader and each live part that has one', () => {
    expect([...bills.keys()].sort()).toEqual(['host', 'remote-one', 'server', 'uploader'])
  })

  it('are CycloneDX 1.6: every component has its type, name, version, licence and a reference of its own', () => {
    for (const [name, { metadata, components, dependencies = [], ...bill }] of bills) {
      expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 })
      if (bill.serialNumber) expect(bill.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
      expect(fullName(metadata.component).replace('@dmp/', '')).toBe(name)
      expect([metadata.component.type, metadata.tools.components.length]).toEqual(['application', 1])
      const references = [metadata.component, ...components].map((each) => each['bom-ref'])
      expect(new Set(references).size).toBe(references.length)
      for (const each of components) {
        expect([each.name, each.type]).toEqual([each.name, expect.stringMatching(/^(library|application)$/)])
        expect([each.name, toLicence(each)]).toEqual([each.name, expect.stringMatching(/./)])
        expect(each.purl).toMatch(/^pkg:(npm|generic)\/[^@\s]+@\d+\.\d+\.\d+/)
        expect(each.purl).toContain(`@${each.version}`)
        for (const { alg, content } of each.externalReferences?.flatMap(({ hashes = [] }) => hashes) ?? [])
          expect([alg, content]).toEqual(['SHA-512', expect.stringMatching(/^[0-9a-f]{128}$/)])
      }
      for (const reference of dependencies.flatMap(({ ref, dependsOn = [] }) => [ref, ...dependsOn]))
        expect(references).toContain(reference)
    }
  })

  it.each(['server', 'uploader'])('of the %s name exactly the packages that are installed with it', (name) => {
    const carried = name === 'uploader' ? [`node@${nodeVersion}`] : []
    const namesOf = (withOptional: boolean) => [
      ...[...installedWith(join(root, name), withOptional)].map(toName),
      ...carried,
    ]
    const named = toNames(bills.get(name))
    expect(namesOf(false).filter((each) => !named.includes(each))).toEqual([])
    const possible = namesOf(true)
    expect(named.filter((each) => !possible.includes(each))).toEqual([])
    expect(named.length).toBeGreaterThan(name === 'server' ? 100 : 3)
  })

  it('of a part name the packages in its bundle, and none of another part', () => {
    const [semver, valibot] = ['semver', 'valibot'].map((name) => toName(join(packages, name)))
    expect(toNames(bills.get('host'))).toEqual([semver, valibot])
    expect(toNames(bills.get('remote-one'))).toEqual([valibot])
    expect(bills.get('host')?.components.map(toLicence)).toEqual(['ISC', 'MIT'])
  })
})
