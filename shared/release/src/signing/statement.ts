import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Release } from '@dmp/contract/release'

/** How a release came to be, as an in-toto statement with the predicate of SLSA 1. */
export interface Provenance {
  readonly _type: 'https://in-toto.io/Statement/v1'
  readonly subject: readonly { readonly name: string; readonly digest: { readonly sha384: string } }[]
  readonly predicateType: 'https://slsa.dev/provenance/v1'
  readonly predicate: {
    readonly buildDefinition: {
      readonly buildType: string
      readonly externalParameters: { readonly part: string }
      readonly internalParameters: { readonly isClean: boolean; readonly record?: string }
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

/** What a statement says that its release says, too: the files, the part, what the build noted, commit and date. */
export function toFacts({ releaseId, files, commit, publishedAt, ...record }: Release) {
  return {
    subject: files.map((file) => ({ name: file.path, digest: { sha384: toHex(file.integrity) } })),
    externalParameters: { part: record.name },
    internalParameters: {
      isClean: commit !== 'unknown' && !commit.endsWith('+'),
      record: createHash('sha256').update(JSON.stringify(record)).digest('hex'),
    },
    sources: { name: 'sources', digest: { gitCommit: commit.replace('+', '') } },
    metadata: { invocationId: releaseId, finishedOn: publishedAt },
  }
}

/** Whether a statement, which may be anything, is about exactly this release. */
export function isAbout(statement: unknown, release: Release): statement is Provenance {
  const { _type, subject, predicateType, predicate } = (statement ?? {}) as Partial<Provenance>
  const { buildDefinition, runDetails } = predicate ?? {}
  const facts = toFacts(release)
  return (
    _type === 'https://in-toto.io/Statement/v1' &&
    predicateType === 'https://slsa.dev/provenance/v1' &&
    isDeepStrictEqual(
      {
        subject,
        externalParameters: buildDefinition?.externalParameters,
        internalParameters: buildDefinition?.internalParameters,
        sources: buildDefinition?.resolvedDependencies?.[0],
        metadata: runDetails?.metadata,
      },
      facts,
    )
  )
}

const toHex = (integrity: string): string => Buffer.from(integrity.replace('sha384-', ''), 'base64').toString('hex')
