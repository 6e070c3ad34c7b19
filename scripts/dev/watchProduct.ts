import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { toAnnouncement } from '../../server/src/announcement.ts'
import { serveProduct, type Compilation } from '../../shared/build/src/productServer.ts'
import { listParts, type Part } from '../../shared/build/src/workspace.ts'
import { freePort } from '../journeys/demoServer.ts'
import { AnswerWait } from './answerWait.ts'
import { openDevelopmentReleases } from './developmentReleases.ts'
import { ProductProblems } from './productProblems.ts'
import { watchServer } from './watchServer.ts'
import { watchTypes, withoutUnused } from './watchTypes.ts'

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
  if (await isTaken(port))
    throw new Error(
      `Port ${port} is taken, by npm start of this checkout or by another program. Stop it, or choose another port: PORT=${port + 1} npm run dev`,
    )
  const publicUrl = process.env.DMP_PUBLIC_URL ?? address
  const gate = await freePort()
  const releases = openDevelopmentReleases()
  const problems = new ProductProblems()
  const wait = new AnswerWait(problems)
  watchServer(
    {
      PORT: String(await freePort()),
      GATE_PORT: String(gate),
      DMP_HOST: '127.0.0.1',
      DMP_PUBLIC_URL: publicUrl,
      DMP_RELEASES: releases.folder,
      DMP_RELEASE_WATCH: '0',
    },
    serverOptions,
    (news) => wait.hear(news),
  )
  const built = Promise.withResolvers<void>()
  const parts = announce(listParts())
  const server = await serveProduct({
    parts,
    port,
    behind: `http://127.0.0.1:${gate}`,
    findProblem: () => wait.findProblem(),
    onBuilt: (compilation) => {
      tell(compilation)
      const isThere = compilation.records.some(({ name }) => name === 'host')
      // Until the host compiles for the first time there is no page.
      problems.note('page', wait.isBuilt || isThere ? [] : compilation.errors)
      if (isThere) releases.publish(compilation.records).then(built.resolve, built.reject)
    },
  })
  problems.onChange = server.show
  await built.promise
  wait.isBuilt = true
  await opens(address)
  watchTypes(
    (said) => {
      problems.note('types', withoutUnused(said))
      console.error(said.length > 0 ? said.join('\n\n') : 'Types are right again.')
    },
    async () => {
      await server.isSettled()
      // The server is told of the same edit, and comes before types.
      await pause(100)
      await wait.findProblem()
    },
  )
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`${toAnnouncement(publicUrl, { isDemo: true })}\n`)
  console.log(`${address} shows what you edit (ready in ${seconds} s). DMP_LOG_LEVEL=info logs each request.`)
}

function announce(parts: Part[]): Part[] {
  console.log(`Compiling ${parts.map(({ name }) => name).join(', ')} …`)
  return parts
}

function tell({ compiled }: Compilation): void {
  for (const { name, milliseconds } of compiled) console.log(`${name} compiled in ${milliseconds} ms.`)
}

/** Resolves when a browser gets the page. */
async function opens(address: string): Promise<void> {
  const isOpen = (): Promise<boolean> =>
    fetch(address, { headers: { accept: 'text/html' } }).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isOpen())) await pause(100)
}

const isTaken = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => (socket.destroy(), resolve(true)))
    socket.on('error', () => resolve(false))
  })
