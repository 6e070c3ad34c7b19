import { parseArgs } from 'node:util'
import { build } from './build.ts'

/** `node shared/build/src/cli.ts [part…] [--dev]`: builds the parts that are stale. */
async function main(args: string[]): Promise<void> {
  const { values, positionals: only } = parseArgs({
    args,
    options: { dev: { type: 'boolean' } },
    allowPositionals: true,
  })
  const mode = values.dev ? 'development' : 'production'
  const result = await build({ mode, log: (line) => console.log(line), ...(only.length > 0 ? { only } : {}) })
  if (result.built.length === 0)
    console.log(`everything is up to date (checked in ${Math.round(result.milliseconds)} ms)`)
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
