import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const module = fileURLToPath(new URL('./externalMemory.ts', import.meta.url))

/** Full collections of a process that holds a heap, and makes buffers of 600 MB in all of which it keeps few. */
function countCollections(first: string): number {
  const program = `
    import { constants, PerformanceObserver } from 'node:perf_hooks'
    import { countExternalMemory } from ${JSON.stringify(module)}
    ${first}
    let count = 0
    const { NODE_PERFORMANCE_GC_MAJOR: major, NODE_PERFORMANCE_GC_INCREMENTAL: incremental } = constants
    const observer = new PerformanceObserver((list) => {
      for (const { detail } of list.getEntries()) if ([major, incremental].includes(detail.kind)) count += 1
    })
    observer.observe({ entryTypes: ['gc'] })
    const held = Array.from({ length: 100_000 }, (_, at) => ({ at }))
    const kept = []
    for (let at = 0; at < 4_500; at += 1) {
      kept[at % 16] = Buffer.allocUnsafeSlow(132_000)
      if (at % 300 === 0) await new Promise((next) => setImmediate(next))
    }
    await new Promise((next) => setTimeout(next, 20))
    console.log(JSON.stringify({ count, held: held.length }))`
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
  return (JSON.parse(said) as { count: number }).count
}

it('keeps buffers from having the whole heap looked through again and again', () => {
  const before = countCollections('')
  expect(before).toBeGreaterThan(4)
  expect(countCollections('countExternalMemory()')).toBeLessThan(before / 2)
})
