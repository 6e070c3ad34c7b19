import { startDemo } from '../start/startDemo.ts'

process.env.DMP_DEMO = '1'
await startDemo()
