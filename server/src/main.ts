import { makeServer, type Server } from './app.ts'
import { seedScans } from './modules/scan/demo/seedScans.ts'
import { demoAccounts, demoPassword } from '@dmp/contract/demoAccounts'
import { readSettings, type Settings } from './settings/settings.ts'
import { makeFolderPrivate } from './core/privateFolder.ts'
import { listenAddress, listWarnings } from './settings/exposure.ts'
import { StartFailure } from './core/StartFailure.ts'

/** After connections were closed, for what writes its last lines. */
const lastMs = 5000

/** Listens until it is told to stop. Whatever keeps it from starting is said in sentences, with exit code 1. */
async function main(): Promise<void> {
  const settings = readSettings()
  makeFolderPrivate(settings.dataDir)
  const server = await makeServer(settings)
  if (settings.isDemo) await seedScans(server.deps)
  // What one caller brought about ends nobody else's requests; the place that forgot to wait for it stands in the log.
  process.on('unhandledRejection', (cause) => {
    const { message, stack } = cause instanceof Error ? cause : { message: 'not an error object' }
    server.deps.log.error({ err: { message, stack } }, 'something failed that nobody waited for')
  })
  let isStopping = false
  const stop = (): void => {
    // The second signal does not wait.
    if (isStopping) process.exit(1)
    isStopping = true
    stopInTime(server, settings)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  try {
    await server.app.listen({ port: settings.port, host: listenAddress(settings) })
  } catch (error) {
    await server.close()
    throw portFailure(error, settings)
  }
  for (const warning of listWarnings(settings)) {
    process.stderr.write(`WARNING: ${warning}\n`)
    server.deps.log.warn(warning)
  }
  announce(server.deps.publicUrl(), settings)
}

/** Requests under way get their time, then their lines are closed; whatever hangs does not keep the process. */
function stopInTime({ app, deps, close }: Server, { stopSeconds }: Settings): void {
  const closing = close()
  const begun = performance.now()
  // A line whose last response ended meanwhile would be kept open for the next request.
  const idle = setInterval(() => app.server.closeIdleConnections(), 200)
  setTimeout(() => {
    deps.log.warn(`requests were still under way ${stopSeconds} s after the stop was asked for; they are cut off`)
    clearInterval(idle)
    app.server.closeAllConnections()
  }, stopSeconds * 1000)
  setTimeout(
    () => {
      const seconds = Math.round((performance.now() - begun) / 1000)
      const sentence = `The server could not stop in order within ${seconds} s, so it ends now. Nothing that was confirmed is lost.`
      deps.log.error(sentence)
      process.stderr.write(`${sentence}\n`)
      process.exit(1)
    },
    stopSeconds * 1000 + lastMs,
  )
  closing.then(
    () => process.exit(0),
    () => process.exit(1),
  )
}

function portFailure(error: unknown, settings: Settings): unknown {
  const { port } = settings
  const code = (error as { code?: unknown }).code
  if (code === 'EADDRINUSE')
    return new StartFailure(
      `Port ${port} is taken by another program. Stop that program, or choose another port: PORT=${port + 1} npm start`,
    )
  if (code === 'EACCES')
    return new StartFailure(`This user may not listen on port ${port}. Choose a port above 1023: PORT=4000 npm start`)
  if (code === 'EADDRNOTAVAIL')
    return new StartFailure(
      `This machine has no address ${listenAddress(settings)}. Correct DMP_HOST, or leave it out to listen on ` +
        `${listenAddress({ ...settings, host: undefined })}.`,
    )
  return error
}

function announce(url: string, { isDemo }: Settings): void {
  const lines = [`Data Management Platform is ready: ${url}`]
  if (isDemo)
    lines.push(
      '',
      `Demo accounts, all with the password ${demoPassword}`,
      ...demoAccounts.map(({ email, role }) => `  ${email.padEnd(24)} ${role}`),
      '',
      `Mails arrive at ${url}/dev/mail`,
    )
  process.stdout.write(`${lines.join('\n')}\n`)
}

main().catch((error: unknown) => {
  const sentences =
    error instanceof StartFailure
      ? error.sentences
      : [`The server could not start: ${error instanceof Error ? error.message : String(error)}`]
  process.stderr.write(`${sentences.join('\n')}\n`)
  process.exit(1)
})
