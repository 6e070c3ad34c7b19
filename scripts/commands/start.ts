import { startDemo } from '../start/startDemo.ts'

process.env.DMP_DEMO = '1'
// A line for each request would bury what is said of the start. Set, it says what is logged.
process.env.DMP_LOG_LEVEL ??= 'warn'
await startDemo()
