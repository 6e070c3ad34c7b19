import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { findLockFile } from '@dmp/build/workspace'
import type { Release, ReleaseRef } from '@dmp/contract/release'
import { besideRelease } from './besideRelease.ts'
import { ReleaseRefused } from './ReleaseRefused.ts'
import { toEnvelope } from './signing/envelope.ts'
import type { Signer } from './signing/keyPair.ts'
import { countingKeys, nameKeys, readPartKeys } from './signing/releaseKeys.ts'
import { signatureKey, statementType } from './signing/signatures.ts'
import { toFacts, type Provenance } from './signing/statement.ts'
import { releaseKey, type ReleaseStore } from './store/ReleaseStore.ts'

/** The statement for a release that was built from this checkout. */
export function createProvenance(release: Release): Provenance {
  const { subject, externalParameters, internalParameters, sources, metadata } = toFacts(release)
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject,
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:dmp:npm-run-build',
        externalParameters,
        internalParameters,
        resolvedDependencies: [
          sources,
          ...(lockFile === undefined ? [] : [{ name: path.basename(lockFile), digest: { sha256: hashOf(lockFile) } }]),
        ],
      },
      runDetails: {
        builder: { id: 'urn:dmp:release', version: { node: process.versions.node, webpack: webpackVersion() } },
        metadata,
      },
    },
  }
}

const lockFile = findLockFile()
const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

function webpackVersion(): string {
  const text = readFileSync(createRequire(import.meta.url).resolve('@dmp/build/package.json'), 'utf8')
  return (JSON.parse(text) as { dependencies: Record<string, string> }).dependencies.webpack ?? 'unknown'
}

/** Adds the signed statement to a stored release. */
export async function signRelease(store: ReleaseStore, release: Release, signer: Signer): Promise<void> {
  const keys = (await readPartKeys(store, release.name))?.keys
  if (keys && !countingKeys(keys).some(({ keyId }) => keyId === signer.keyId))
    throw new ReleaseRefused([
      {
        parties: [release.name, 'signature'],
        reason: `The key in DMP_RELEASE_KEY (${signer.keyId}) is not one that counts for ${release.name}, so release ${release.releaseId} is in the store without a signature.`,
        cure: `Sign with one of ${nameKeys(countingKeys(keys)) || 'none: all are revoked'}, or register this one: npm run release -- key add ${release.name}`,
      },
    ])
  const envelope = toEnvelope(statementType, createProvenance(release), signer)
  await store.add(signatureKey(release, signer.keyId), envelope)
}

export interface Origin {
  /** The number of packages in the bundle. */
  readonly packages: number | null
  readonly isClean: boolean | null
  readonly lockFile: string | null
  readonly tools: Readonly<Record<string, string>> | null
}

/** What a release's documents say of it, the signed one first; releases of earlier versions have none. */
export async function readOrigin(
  store: ReleaseStore,
  { name, releaseId }: ReleaseRef,
  signed: Provenance | undefined,
): Promise<Origin> {
  const [bill, provenance] = await Promise.all(
    [besideRelease.billOfMaterials, besideRelease.provenance].map(async (file) => {
      const content = await store.read(releaseKey(name, releaseId, file))
      return content && (JSON.parse(content.toString()) as unknown)
    }),
  )
  const { components } = (bill ?? {}) as { components?: readonly unknown[] }
  const { buildDefinition, runDetails } = (signed ?? (provenance as Provenance | undefined))?.predicate ?? {}
  const lock = buildDefinition?.resolvedDependencies.find((dependency) => dependency.name !== 'sources')
  return {
    packages: components?.length ?? null,
    isClean: buildDefinition?.internalParameters.isClean ?? null,
    lockFile: lock?.digest.sha256 ?? null,
    tools: runDetails?.builder.version ?? null,
  }
}
