import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { toAnnouncement } from '../../server/src/announcement.ts'
import { listStaleParts } from '../../shared/build/src/buildCache.ts'
import { listParts, type Part } from '../../shared/build/src/workspace.ts'
import { serveRemoteSources } from '../../shared/command/src/serveRemoteSources.ts'
import { buildStale, publishBuilt } from '../workspace/builds.ts'
import { listRemotes, root } from '../workspace/files.ts'
import { watchServer } from './watchServer.ts'

export interface ServedRemote {
  readonly name: string
  /** Address of the deployment whose pages get the remote; the product on this computer where left out. */
  readonly host?: string | undefined
  readonly port: number
  /** Where the remote's sources are, when not in this checkout. */
  readonly folder?: string | undefined
}

/** `npm run dev -- remote-scan`: serves the sources of that remote only, and starts the product where none is named. */
export async function serveRemote({ name, host, port, folder }: ServedRemote): Promise<void> {
  const part = findPart(name, folder)
  const address = `http://localhost:${process.env.PORT ?? 4000}`
  let isStarted = false
  const start = (): Promise<void> => {
    isStarted = true
    return startHost(part)
  }
  await serveRemoteSources({ part, port, ...(host === undefined ? { host: address, startHost: start } : { host }) })
  if (isStarted) console.log(`\n${toAnnouncement(process.env.DMP_PUBLIC_URL ?? address, { isDemo: true })}`)
}

function findPart(name: string, folder: string | undefined): Part {
  const place = folder === undefined ? join(root, name) : resolve(folder)
  if (!/^remote-[a-z0-9-]+$/.test(name) || !existsSync(join(place, 'remote.json')))
    throw new Error(
      `There is no remote "${name}"${folder === undefined ? '' : ` in ${place}`}. The remotes here: ${listRemotes().join(', ')}.`,
    )
  return { name, folder: place, kind: 'remote' }
}

/** The product of this checkout; the remote itself needs no release, its sources are served. */
async function startHost(part: Part): Promise<void> {
  const others = listParts().filter(({ name }) => name !== part.name)
  const behind = listStaleParts(others, 'production').map(({ name }) => name)
  if (behind.length > 0) await buildStale(behind)
  await publishBuilt()
  watchServer()
}
