#!/usr/bin/env node
// Older Nodes begin, and end somewhere in the middle of it.
if (Number(process.versions.node.split('.')[0]) < 22) {
  console.error(`dmp needs Node 22 or newer; this is Node ${process.versions.node}. Install a newer one (nodejs.org).`)
  process.exitCode = 1
} else {
  const { runCommand } = await import('./runCommand.ts')
  process.exitCode = await runCommand(process.argv.slice(2))
}
