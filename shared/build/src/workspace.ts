import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

/** The repository's folder. */
export const workspace = path.resolve(import.meta.dirname, '../../..')

/** A part of the product that is built for the browser. */
export interface Part {
  readonly name: string
  readonly folder: string
  readonly kind: 'host' | 'remote' | 'viewer'
}

/** Every part that has a `webpack.config.ts`: the host, each remote, the viewer. A new folder `remote-…` is found by itself. */
export function listParts(): Part[] {
  const names = readdirSync(workspace).filter(
    (name) => name === 'host' || name === 'viewer' || name.startsWith('remote-'),
  )
  return names
    .map((name) => ({ name, folder: path.join(workspace, name), kind: toKind(name) }))
    .filter((part) => existsSync(path.join(part.folder, 'webpack.config.ts')))
}

function toKind(name: string): Part['kind'] {
  return name === 'host' ? 'host' : name === 'viewer' ? 'viewer' : 'remote'
}
