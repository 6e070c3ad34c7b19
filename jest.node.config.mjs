import { availableParallelism } from 'node:os'
import { node } from './scripts/jest/projects.mjs'

/** What runs in Node: `node_modules/.bin/jest -c jest.node.config.mjs server` */
export default {
  // These tests wait for databases, servers and clocks of their own for a third of their time.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  // Each file leaves its modules behind in its process, which ran out of memory after some two hundred of them.
  workerIdleMemoryLimit: '1GB',
  globalSetup: './scripts/jest/temporaryFolder.mjs',
  globalTeardown: './scripts/jest/removeTemporaryFolder.mjs',
  projects: [
    'server',
    'shared/bucket',
    'shared/build',
    'shared/command',
    'shared/dimse',
    'shared/release',
    'uploader',
    'scripts',
  ].map(node),
}
