import { makeServer, type Server } from './app.ts'
import { createSetupToken, setupMinutes, toSetupLink } from './identity/setupLink.ts'
import { hasAdministrator } from './modules/account/firstAdministrator.ts'
import { seedScans } from './modules/scan/demo/seedScans.ts'
import { toAnnouncement } from './announcement.ts'
import { registerOperatorDoor } from './operator/operatorDoor.ts'
import type { Settings } from './settings/settings.ts'
import { listenAddress, listWarnings } from './settings/exposure.ts'
import { StartFailure } from './core/StartFailure.ts'
import type { Opened, StartOptions } from './startServer.ts'
import { stopOnSignals } from './stopping.ts'

/** Everything of a start that is not needed for opening the database. */
export async function serve(
  { until, listComing, isDevelopment }: StartOptions,
  { settings, log, opening }: Opened,
): Promise<void> {
  const server = await makeServer(settings, { log, opening, listComing })
  const operatorDoor = registerOperatorDoor(server.app, server.deps)
  if (settings.isDemo) await seedScans(server.deps)
  try {
    await until
  } catch (error) {
    await server.close()
    throw error
  }
  // What one caller brought about ends nobody else's requests; the place that forgot to wait for it stands in the log.
  process.on('unhandledRejection', (cause) => {
    const { message, stack } = cause instanceof Error ? cause : { message: 'not an error object' }
    server.deps.log.error({ err: { message, stack } }, 'something failed that nobody waited for')
  })
  stopOnSignals(server, settings)
  try {
    await server.app.listen({ port: settings.port, host: listenAddress(settings) })
  } catch (error) {
    await server.close()
    throw portFailure(error, settings)
  }
  await operatorDoor.open()
  for (const warning of listWarnings(settings)) {
    process.stderr.write(`WARNING: ${warning}\n`)
    server.deps.log.warn(warning)
  }
  if (!isDevelopment) process.stdout.write(`${toAnnouncement(server.deps.publicUrl(), settings)}\n`)
  await offerSetup(server)
}

/** Of several servers each prints a link, and any of them works with every server. */
async function offerSetup({ deps }: Server): Promise<void> {
  if (await hasAdministrator(deps.db)) return
  process.stdout.write(
    `\nThere is no administrator yet. Open this link within ${setupMinutes} minutes to become the first one:\n\n` +
      `  ${toSetupLink(deps.publicUrl(), createSetupToken(deps.keys))}\n\n` +
      'Keep it to yourself. For a new one: npm run admin -- setup-link\n',
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
