import { build } from './build.ts'

/** `node shared/build/src/cli.ts [part…] [--dev]`: builds what is stale. */
async function main(words: readonly string[]): Promise<void> {
  const only = words.filter((word) => !word.startsWith('--'))
  const mode = words.includes('--dev') ? 'development' : 'production'
  const result = await build({ mode, log: (line) => console.log(line), ...(only.length > 0 ? { only } : {}) })
  if (result.built.length === 0) console.log(`nothing to build (checked in ${Math.round(result.milliseconds)} ms)`)
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
