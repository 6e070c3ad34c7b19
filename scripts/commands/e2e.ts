import { runJourneys } from '../journeys.ts'

const { failed } = await runJourneys(process.argv.slice(2))
process.exitCode = failed === 0 ? 0 : 1
