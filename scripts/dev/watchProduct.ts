import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { serveProduct, type Compilation } from '../../shared/build/src/productServer.ts'
import { listParts } from '../../shared/build/src/workspace.ts'
import { freePort } from '../journeys/demoServer.ts'
import { openDevelopmentReleases } from './developmentReleases.ts'
import { watchServer } from './watchServer.ts'
import { watchTypes } from './watchTypes.ts'

/**
 * `npm run dev`: the whole product from its sources. What is edited is on open pages a moment later; the server starts
 * anew when one of its sources changes, and requests wait for it.
 *
 * @param serverOptions for the server's Node: `--inspect`
 */
export async function watchProduct(serverOptions: readonly string[] = []): Promise<void> {
  const began = performance.now()
  const port = Number(process.env.PORT ?? 4000)
  const address = `http://localhost:${port}`
  if (await isListening(port))
    throw new Error(
      `Port ${port} is taken by another program. Stop that program, or choose another port: PORT=${port + 1} npm run dev`,
    )
  const inner = await freePort()
  const releases = openDevelopmentReleases()
  watchServer(
    {
      PORT: String(inner),
      DMP_HOST: '127.0.0.1',
      DMP_PUBLIC_URL: process.env.DMP_PUBLIC_URL ?? address,
      DMP_RELEASES: releases.folder,
      DMP_RELEASE_WATCH: '0',
    },
    serverOptions,
  )
  const built = Promise.withResolvers<void>()
  const { show, isSettled } = await serveProduct({
    parts: listParts(),
    port,
    behind: `http://127.0.0.1:${inner}`,
    isReady: async () => {
      await built.promise
      await listens(inner)
    },
    onBuilt: (compilation) => {
      tell(compilation)
      // Until the host compiles for the first time there is no page; the terminal says why.
      if (compilation.records.some(({ name }) => name === 'host'))
        releases.publish(compilation.records).then(built.resolve, built.reject)
    },
  })
  await built.promise
  await listens(inner)
  watchTypes(show, async () => {
    await isSettled()
    // The server is told of the same edit, and comes before types: unless it does not start.
    await pause(100)
    await listens(inner, 3000)
  })
  console.log(`${address} shows what you edit (ready in ${((performance.now() - began) / 1000).toFixed(1)} s).`)
}

function tell({ compiled }: Compilation): void {
  for (const { name, milliseconds } of compiled) console.log(`${name} compiled in ${milliseconds} ms.`)
}

/** Resolves when something takes connections at the port, or nobody may wait any longer. */
async function listens(port: number, patienceMs = Infinity): Promise<void> {
  const began = performance.now()
  while (!(await isListening(port)) && performance.now() - began < patienceMs) await pause(20)
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => (socket.destroy(), resolve(true)))
    socket.on('error', () => resolve(false))
  })
