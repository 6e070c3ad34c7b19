import { startServer } from '../../server/src/startServer.ts'
import { openKeptThread, type KeeperMessage } from './keptDatabase.ts'

/** The server of `npm run dev`, whose database stays open while this process is started anew. */
await startServer({ startThread: openKeptThread, isDevelopment: true })
process.send?.({ kind: 'listening' } satisfies KeeperMessage)
