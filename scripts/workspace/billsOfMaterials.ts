import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pnpm } from '../install.mjs'
import { nodeVersion } from '../../uploader/targets.ts'
import { releaseStoreLocation } from './builds.ts'
import { root } from './files.ts'
import { runProcess } from './runProcess.ts'

/** Nobody is served from here: `dist/` belongs to who builds. */
export const billFolder = join(root, 'dist/sbom')

/**
 * Writes what the product is made of, as CycloneDX 1.6: of the server and the uploader what is installed with them, of
 * each live part what its bundle holds.
 */
export async function writeBills(folder = billFolder): Promise<string[]> {
  const { listReleaseRefs, openStore, readRegistry, readSnapshot, toBucketAccess, besideRelease, releaseKey } =
    await import('../../shared/release/src/index.ts')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const files: string[] = []
  for (const name of ['server', 'uploader']) {
    const file = join(folder, `${name}.cdx.json`)
    const format = ['--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6', '--sbom-type', 'application']
    const command = ['-y', pnpm, 'sbom', '--prod', '--filter', `@dmp/${name}`, ...format, '--out', file]
    const { code, text } = await runProcess('npx', command, { isQuiet: true })
    if (code !== 0) throw new Error(`pnpm could not list what the ${name} is made of: ${text.trim().slice(-300)}`)
    writeFileSync(file, complete(readFileSync(file, 'utf8'), name === 'uploader' ? [carriedNode] : []))
    files.push(file)
  }
  const store = openStore(releaseStoreLocation(), toBucketAccess(process.env))
  const registry = await readRegistry(store)
  const refs = registry ? listReleaseRefs(await readSnapshot(store, registry.live)) : []
  for (const { name, releaseId } of refs) {
    const bill = await store.read(releaseKey(name, releaseId, besideRelease.billOfMaterials))
    if (bill === undefined) continue
    const file = join(folder, `${name}.cdx.json`)
    writeFileSync(file, bill)
    files.push(file)
  }
  return files
}

/** As much of a list as is added to. */
interface Bill {
  readonly metadata: { readonly component: { readonly licenses?: unknown } }
  readonly components: readonly { readonly group?: string; readonly licenses?: unknown }[]
}

/** Most uploaders are a Node with a script inside, which no package manager knows. */
const carriedNode = {
  type: 'application',
  name: 'node',
  version: nodeVersion,
  purl: `pkg:generic/node@${nodeVersion}`,
  'bom-ref': `pkg:generic/node@${nodeVersion}`,
  licenses: [{ license: { id: 'MIT' } }],
}

/** What pnpm leaves out: the licence of our own packages, and what is carried without being a package. */
function complete(text: string, carried: readonly object[]): string {
  const bill = JSON.parse(text) as Bill
  const { licenses } = bill.metadata.component
  const components = bill.components.map((each) => (each.group === '@dmp' ? { licenses, ...each } : each))
  return `${JSON.stringify({ ...bill, components: [...components, ...carried] }, null, 2)}\n`
}
