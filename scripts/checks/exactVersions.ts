import { listFiles, readJson } from '../workspace/files.ts'

type Manifest = Readonly<Record<string, Readonly<Record<string, string>> | undefined>>

const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']
const exact = /^(?:npm:(?:@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/
/** Whoever takes a package has a version of its peers already: a major is said, and the least of it. */
const caret = /^\^\d+\.\d+\.\d+$/

/** Every dependency names one version, so that an upgrade is a commit of its own and never a side effect. */
export function checkExactVersions(): string[] {
  return listFiles('.', /^package\.json$/).flatMap((file) => findInexactVersions(file, readJson(file) as Manifest))
}

export function findInexactVersions(file: string, manifest: Manifest): string[] {
  return kinds.flatMap((kind) =>
    Object.entries(manifest[kind] ?? {})
      .filter(([, version]) => version !== 'workspace:*' && !exact.test(version))
      .filter(([, version]) => kind !== 'peerDependencies' || !caret.test(version))
      .map(([name, version]) => `${file}: ${name} is "${version}". Name one version, as pnpm add --save-exact does.`),
  )
}
