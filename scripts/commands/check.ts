import { checkAll } from '../checks/all.ts'

process.exitCode = (await checkAll({ isFixing: process.argv.includes('--fix') })).failed === 0 ? 0 : 1
