import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { listStaleParts } from '../../shared/build/src/buildCache.ts'
import { listParts, type Part } from '../../shared/build/src/workspace.ts'
import { buildStale, publishBuilt } from '../workspace/builds.ts'
import { listRemotes, root } from '../workspace/files.ts'
import { watchServer } from './watchServer.ts'

export interface RemoteSources {
  readonly name: string
  /** Address of the deployment whose pages get the remote; the product on this computer where left out. */
  readonly host?: string | undefined
  readonly port: number
  /** Where the remote's sources are, when not in this checkout. */
  readonly folder?: string | undefined
}

/**
 * `npm run dev -- remote-scan`: serves the sources of that remote only, and says which link makes a browser take them
 * in place of what is live in a host that runs somewhere else.
 */
export async function serveRemoteSources(options: RemoteSources): Promise<void> {
  const began = performance.now()
  const part = findPart(options)
  const host = new URL(options.host ?? `http://localhost:${process.env.PORT ?? 4000}`).origin
  // The modules that serve the remote load while the host answers or starts.
  const serving = import('../../shared/build/src/devServer.ts')
  const reached = (await isUp(host))
    ? Promise.resolve()
    : options.host === undefined
      ? startHost(part, host)
      : Promise.reject(
          new Error(`Nothing answers at ${host}. Correct --host, or leave it out to bring up the product here.`),
        )
  let compilations = 0
  const [, server] = await Promise.all([
    reached,
    serving.then(({ serveRemote }) =>
      serveRemote(part, {
        origins: [host],
        port: options.port,
        onBuilt: ({ milliseconds, errors }) => {
          compilations += 1
          if (errors) console.error(errors)
          else if (compilations > 1) console.log(`${part.name} compiled in ${milliseconds} ms.`)
        },
      }),
    ),
  ])
  await server.built
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => void server.stop().finally(() => process.exit(0)))
  console.log(
    `${part.name} is served from ${server.address} (${((performance.now() - began) / 1000).toFixed(1)} s). Open it with:\n\n  ${linkTo(host, part, server.address)}\n\nOnly the browser that agrees there gets it; ${host} stays as it is for everybody else.`,
  )
}

/** The first address of the remote, with the question whether this browser shall take it from here. */
function linkTo(host: string, { name, folder }: Part, address: string): string {
  const { routes } = JSON.parse(readFileSync(join(folder, 'remote.json'), 'utf8')) as { routes: { prefix: string }[] }
  return `${host}${routes[0]?.prefix ?? '/'}?dmp-override=${name}@${address}`
}

function findPart({ name, folder }: RemoteSources): Part {
  const place = folder === undefined ? join(root, name) : resolve(folder)
  if (!/^remote-[a-z0-9-]+$/.test(name) || !existsSync(join(place, 'remote.json')))
    throw new Error(
      `There is no remote "${name}"${folder === undefined ? '' : ` in ${place}`}. The remotes here: ${listRemotes().join(', ')}.`,
    )
  return { name, folder: place, kind: 'remote' }
}

async function isUp(host: string): Promise<boolean> {
  return fetch(`${host}/releases/live`, { signal: AbortSignal.timeout(8000) }).then(
    (response) => response.ok,
    () => false,
  )
}

/** The product of this checkout; the remote itself needs no release, its sources are served. */
async function startHost(part: Part, host: string): Promise<void> {
  const others = listParts().filter(({ name }) => name !== part.name)
  const behind = listStaleParts(others, 'production').map(({ name }) => name)
  if (behind.length > 0) await buildStale(behind)
  await publishBuilt()
  const server = watchServer()
  const hostExit = new Promise<never>((_, reject) =>
    server.on('exit', () => reject(new Error('The server ended; what is above says why.'))),
  )
  await Promise.race([waitUntilUp(host), hostExit])
}

async function waitUntilUp(host: string): Promise<void> {
  while (!(await isUp(host))) await new Promise((again) => setTimeout(again, 100))
}
