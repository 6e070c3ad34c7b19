import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

// `npm run changeset` asks what changed in contract or kit and writes the answer to .changeset/;
// `npm run changeset -- version` raises the versions and writes the change logs; `-- status` lists what would rise.
const program = fileURLToPath(import.meta.resolve('@changesets/cli/bin.js'))
process.exitCode = spawnSync(process.execPath, [program, ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1
