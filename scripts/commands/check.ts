import { runChecks } from '../checks/runChecks.ts'

const args = process.argv.slice(2)
const options = { isFixing: args.includes('--fix'), ...(args.includes('--all') ? { isWhole: true } : {}) }
process.exitCode = (await runChecks(options)).failed === 0 ? 0 : 1
