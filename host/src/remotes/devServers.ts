import type { Override } from '@dmp/contract/override'
import type { RemoteOnPage } from '@dmp/contract/release'
import { Declaration } from '@dmp/contract/remote'
import * as v from 'valibot'
import { putRemote, remotes } from './snapshot.ts'
import { overrides } from './activeOverrides.ts'
import { removeOverride } from './overrideState.ts'

const timeoutMs = 4000

/**
 * Asks each development server for the declaration of its remote and puts that remote into the page, with the live
 * release as fallback.
 */
export async function adoptDevServers(): Promise<void> {
  await Promise.all(overrides().map(adopt))
}

async function adopt({ part, address }: Override): Promise<void> {
  if (address === undefined) return
  if (remotes().some(({ declaration, guest }) => guest && declaration.name === part))
    return removeOverride(part, 'It runs in a frame of its own, which takes nothing from a development server.')
  try {
    const response = await fetch(`${address}/remote.json`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const declaration = v.parse(Declaration, await response.json())
    if (declaration.name !== part) throw new Error(`${address} serves ${declaration.name}`)
    putRemote(toRemote(address, declaration))
  } catch (cause) {
    removeOverride(
      part,
      cause instanceof v.ValiError
        ? `Its remote.json is not valid: ${cause.message}.`
        : `${address} is not a development server of ${part}.`,
    )
  }
}

function toRemote(address: string, declaration: Declaration): RemoteOnPage {
  const live = remotes().find((remote) => remote.declaration.name === declaration.name)
  return {
    releaseId: 'development',
    entry: `${address}/remoteEntry.js`,
    // A remote that is being edited has no hash known in advance.
    integrity: '',
    declaration,
    ...(live ? { previous: { releaseId: live.releaseId, entry: live.entry, integrity: live.integrity } } : {}),
  }
}
