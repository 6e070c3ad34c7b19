import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

/** The repository's folder. */
export const workspace = path.resolve(import.meta.dirname, '../../..')

/** A part, deployed on its own: the host, a remote or the viewer. */
export interface Part {
  readonly name: string
  readonly folder: string
  readonly kind: 'host' | 'remote' | 'viewer'
}

/** Lists every part that has a `webpack.config.ts`. A new folder `remote-…` is found without registration. */
export function listParts(root = workspace): Part[] {
  const names = readdirSync(root).filter((name) => name === 'host' || name === 'viewer' || name.startsWith('remote-'))
  return names
    .map((name) => ({ name, folder: path.join(root, name), kind: toKind(name) }))
    .filter((part) => existsSync(path.join(part.folder, 'webpack.config.ts')))
}

function toKind(name: string): Part['kind'] {
  return name === 'host' ? 'host' : name === 'viewer' ? 'viewer' : 'remote'
}
