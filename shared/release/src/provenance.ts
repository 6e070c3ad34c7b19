import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { findLockFile } from '@dmp/build/workspace'
import type { Release } from '@dmp/contract/release'
import { releaseKey, type ReleaseStore } from './store/ReleaseStore.ts'

/** Documents that lie beside a release's files. No release names them, so the server serves them to nobody. */
export const besideRelease = { billOfMaterials: 'sbom.cdx.json', provenance: 'provenance.json' } as const

/** How a release came to be, as an in-toto statement with the predicate of SLSA 1. It is not signed. */
export interface Provenance {
  readonly _type: 'https://in-toto.io/Statement/v1'
  readonly subject: readonly { readonly name: string; readonly digest: { readonly sha384: string } }[]
  readonly predicateType: 'https://slsa.dev/provenance/v1'
  readonly predicate: {
    readonly buildDefinition: {
      readonly buildType: string
      readonly externalParameters: { readonly part: string }
      readonly internalParameters: { readonly isClean: boolean }
      readonly resolvedDependencies: readonly {
        readonly name: string
        readonly digest: Readonly<Record<string, string>>
      }[]
    }
    readonly runDetails: {
      readonly builder: { readonly id: string; readonly version: Readonly<Record<string, string>> }
      readonly metadata: { readonly invocationId: string; readonly finishedOn: string }
    }
  }
}

/** The statement for a release that was built from this checkout. */
export function createProvenance({ name, releaseId, files, commit, publishedAt }: Release): Provenance {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: files.map((file) => ({ name: file.path, digest: { sha384: toHex(file.integrity) } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:dmp:npm-run-build',
        externalParameters: { part: name },
        internalParameters: { isClean: commit !== 'unknown' && !commit.endsWith('+') },
        resolvedDependencies: [
          { name: 'sources', digest: { gitCommit: commit.replace('+', '') } },
          ...(lockFile === undefined ? [] : [{ name: path.basename(lockFile), digest: { sha256: hashOf(lockFile) } }]),
        ],
      },
      runDetails: {
        builder: { id: 'urn:dmp:release', version: { node: process.versions.node, webpack: webpackVersion() } },
        metadata: { invocationId: releaseId, finishedOn: publishedAt },
      },
    },
  }
}

const lockFile = findLockFile()
const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')
const toHex = (integrity: string): string => Buffer.from(integrity.replace('sha384-', ''), 'base64').toString('hex')

function webpackVersion(): string {
  const text = readFileSync(createRequire(import.meta.url).resolve('@dmp/build/package.json'), 'utf8')
  return (JSON.parse(text) as { dependencies: Record<string, string> }).dependencies.webpack ?? 'unknown'
}

export interface Origin {
  /** The number of packages in the bundle. */
  readonly packages: number | null
  readonly isClean: boolean | null
  readonly lockFile: string | null
  readonly tools: Readonly<Record<string, string>> | null
}

/** What a release's documents say of it; releases of earlier versions have none. */
export async function readOrigin(store: ReleaseStore, name: string, releaseId: string): Promise<Origin> {
  const [bill, provenance] = await Promise.all(
    [besideRelease.billOfMaterials, besideRelease.provenance].map(async (file) => {
      const content = await store.read(releaseKey(name, releaseId, file))
      return content && (JSON.parse(content.toString()) as unknown)
    }),
  )
  const { components } = (bill ?? {}) as { components?: readonly unknown[] }
  const { buildDefinition, runDetails } = (provenance as Provenance | undefined)?.predicate ?? {}
  const lock = buildDefinition?.resolvedDependencies.find((dependency) => dependency.name !== 'sources')
  return {
    packages: components?.length ?? null,
    isClean: buildDefinition?.internalParameters.isClean ?? null,
    lockFile: lock?.digest.sha256 ?? null,
    tools: runDetails?.builder.version ?? null,
  }
}
