import { runJourneys } from '../journeys/runJourneys.ts'

// A person who looks for the cause of a failure wants to see it; `npm test` first finds out whether there is one.
process.env.E2E_VIDEO ??= '1'
const { failed } = await runJourneys(process.argv.slice(2))
process.exitCode = failed === 0 ? 0 : 1
