import type { Declaration } from '@dmp/contract/remote'

interface Files {
  readdirSync(folder: string): string[]
  readFileSync(file: string, encoding: 'utf8'): string
  existsSync(file: string): boolean
}

/** Reads the declarations of the host and of every remote in this repository. */
export function readDeclarations(): Declaration[] {
  const { readdirSync, readFileSync, existsSync } = jest.requireActual<Files>('node:fs')
  const workspace = (expect.getState().testPath ?? '').replace(/[\\/]host[\\/]src[\\/].*$/, '')
  return readdirSync(workspace)
    .filter((name) => name === 'host' || name.startsWith('remote-'))
    .map((name) => `${workspace}/${name}/remote.json`)
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as Declaration)
}
