import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Part } from '@dmp/build/workspace'

export interface RemoteSources {
  readonly part: Part
  /** Address of the deployment whose pages get the remote. */
  readonly host: string
  /** 0 chooses a free port. */
  readonly port: number
  /** Brings the deployment up where nothing answers at `host`; without it that is an error. */
  readonly startHost?: (() => Promise<void>) | undefined
}

/**
 * Serves the sources of one remote, and says which link makes a browser take them in place of what is live in a
 * deployment that runs somewhere else.
 */
export async function serveRemoteSources({ part, host: address, port, startHost }: RemoteSources): Promise<void> {
  const began = performance.now()
  const host = new URL(address).origin
  // The modules that serve the remote load while the host answers or starts.
  const serving = import('@dmp/build/devServer')
  const reached = (await isUp(host)) ? Promise.resolve() : bringUp(host, startHost)
  let compilations = 0
  const [, server] = await Promise.all([
    reached,
    serving.then(({ serveRemote }) =>
      serveRemote(part, {
        origins: [host],
        port,
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
    `${part.name} is served from ${server.address} (${((performance.now() - began) / 1000).toFixed(1)} s). Open it with:\n\n  ${linkTo(host, part, server.address)}\n\nOnly a browser whose user agrees gets it; ${host} stays the same for everyone else.`,
  )
}

const bringUp = (host: string, startHost: RemoteSources['startHost']): Promise<void> =>
  startHost === undefined
    ? Promise.reject(new Error(`Nothing is running at ${host}. Correct --host: it is the address of a deployment.`))
    : startHost().then(() => waitUntilUp(host))

/** The first address of the remote, with the question whether this browser shall take it from here. */
function linkTo(host: string, { name, folder }: Part, address: string): string {
  const { routes } = JSON.parse(readFileSync(path.join(folder, 'remote.json'), 'utf8')) as {
    routes: { prefix: string }[]
  }
  return `${host}${routes[0]?.prefix ?? '/'}?dmp-override=${name}@${address}`
}

async function isUp(host: string): Promise<boolean> {
  return fetch(`${host}/releases/live`, { signal: AbortSignal.timeout(8000) }).then(
    (response) => response.ok,
    () => false,
  )
}

async function waitUntilUp(host: string): Promise<void> {
  while (!(await isUp(host))) await new Promise((again) => setTimeout(again, 100))
}
