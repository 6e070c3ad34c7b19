import { runChecks } from '../checks/runChecks.ts'

process.exitCode = (await runChecks({ isFixing: process.argv.includes('--fix') })).failed === 0 ? 0 : 1
