import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pnpm } from '../install.mjs'
import { releaseStoreLocation } from './builds.ts'
import { root } from './files.ts'
import { runProcess } from './runProcess.ts'

/** Nobody is served from here: `dist/` belongs to who builds. */
export const billFolder = join(root, 'dist/sbom')

/**
 * Writes what the product is made of, as CycloneDX 1.6: of the server and the uploader what is installed with them, of
 * each live part what its bundle holds.
 */
export async function writeBills(): Promise<string[]> {
  const { listReleaseRefs, openStore, readRegistry, readSnapshot, toBucketAccess, besideRelease, releaseKey } =
    await import('../../shared/release/src/index.ts')
  rmSync(billFolder, { recursive: true, force: true })
  mkdirSync(billFolder, { recursive: true })
  const files: string[] = []
  for (const name of ['server', 'uploader']) {
    const file = join(billFolder, `${name}.cdx.json`)
    const format = ['--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6', '--sbom-type', 'application']
    const command = ['-y', pnpm, 'sbom', '--prod', '--filter', `@dmp/${name}`, ...format, '--out', file]
    const { code, text } = await runProcess('npx', command, { isQuiet: true })
    if (code !== 0) throw new Error(`pnpm could not list what the ${name} is made of: ${text.trim().slice(-300)}`)
    files.push(file)
  }
  const store = openStore(releaseStoreLocation(), toBucketAccess(process.env))
  const registry = await readRegistry(store)
  const refs = registry ? listReleaseRefs(await readSnapshot(store, registry.live)) : []
  for (const { name, releaseId } of refs) {
    const bill = await store.read(releaseKey(name, releaseId, besideRelease.billOfMaterials))
    if (bill === undefined) continue
    const file = join(billFolder, `${name}.cdx.json`)
    writeFileSync(file, bill)
    files.push(file)
  }
  return files
}
